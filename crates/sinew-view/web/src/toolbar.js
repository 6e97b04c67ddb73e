// The bars above and below: time, cameras, pictures, the history.
import { el, button, icon, options } from './dom.js';
import { SPEEDS } from './words.js';
import { FIXED } from './camera.js';

const speed_name = (x) => (x >= 1 ? `${x}×` : `${+(100 * x).toPrecision(3)} %`);

export class Toolbar {
  constructor(app) {
    this.app = app;
    const { send } = app;
    this.name = el('span', { class: 'name' }, 'Sinew');
    this.dot = el('span', { class: 'dot', title: 'connected' });
    this.play = button('play', 'Run or pause (Space)', () => this.toggle(), 'do-play');
    this.speed = el('select', { id: 'speed', title: 'Speed (− and =)', onchange: () => send({ do: 'speed', x: +this.speed.value }) },
      ...SPEEDS.map((x) => el('option', { value: String(x) }, speed_name(x))));
    this.speed.value = '1';
    this.key = el('select', { id: 'key', title: 'Keyframes', onchange: () => {
      if (this.key.value !== '') send({ do: 'key', i: +this.key.value });
      this.key.value = '';
    } });
    this.camera = el('select', { id: 'camera', title: 'Camera ([ and ])', onchange: () => app.look_through(+this.camera.value) });
    this.hand = button('hand', 'Hand: pull bodies with the left button', () => this.set_hand(!app.mouse.hand), 'do-hand');
    this.video = button('video', 'Record a video', () => this.video.classList.toggle('on', app.capture.video()));
    const file = el('input', { type: 'file', multiple: true, id: 'file', onchange: () => app.drop([...file.files]) });
    this.selected = el('span', { id: 'selected' });
    const live = (...nodes) => (app.live ? nodes : []);
    // a narrow page shows folded groups after a click on the menu
    const group = (name, ...nodes) => el('div', { class: `tools ${name}` }, ...nodes);
    this.top = el('header', {},
      el('div', { class: 'brand' }, this.dot, this.name),
      group('clock',
        button('reset', 'Reset (Backspace)', () => send({ do: 'reset' })),
        button('back', 'One state back (←)', () => send({ do: 'step', n: -1 })),
        this.play,
        button('step', 'One step (→)', () => send({ do: 'step', n: 1 })),
        this.speed, ...live(this.hand)),
      group('folded choices', ...live(this.key), this.camera),
      this.selected,
      group('folded files', ...live(button('reload', 'Load the model again', () => send({ do: 'reload' }))),
        button('camera', 'Picture', () => app.capture.picture(), 'do-picture'), this.video),
      group('sides',
        button('left', 'Left panel (Tab)', () => app.fold('left')),
        button('right', 'Right panel (Shift Tab)', () => app.fold('right')),
        button('help', 'Help (F1)', () => app.help.toggle()),
        button('menu', 'More', () => this.top.classList.toggle('open')), file));
    this.time = el('span', { id: 'time' }, '0.000 s');
    this.pace = el('span', { id: 'pace' });
    this.scrub = el('input', { type: 'range', id: 'scrub', min: '0', max: '0', step: '1', title: 'History' });
    this.scrub.addEventListener('input', () => send({ do: 'scrub', i: +this.scrub.value }));
    this.span = el('span', { class: 'span' });
    this.bottom = el('footer', {}, this.time, this.scrub, this.span, this.pace);
  }

  toggle() {
    this.app.send({ do: 'run', on: !this.app.state?.running });
  }

  set_hand(on) {
    this.app.mouse.hand = on;
    this.hand.classList.toggle('on', on);
    this.app.canvas.style.cursor = on ? 'grab' : '';
  }

  connected(on, why) {
    this.dot.classList.toggle('off', !on);
    this.dot.title = on ? 'connected' : `not connected${why ? `: ${why}` : ''}`;
    document.body.classList.toggle('lost', !on);
  }

  set_model(model) {
    this.name.textContent = model.name.split(/[\\/]/).pop() || 'model';
    this.name.title = `${model.name}: ${model.counts.body} bodies, ${model.counts.dof} dofs, ${model.counts.actuator} actuators`;
    options(this.camera, model.cameras.map((c) => c.name));
    this.camera.prepend(el('option', { value: '-1' }, 'Free camera'));
    this.set_camera(this.app.view.is);
  }

  set_keys(keys) {
    options(this.key, keys.map((key) => key.name), 'Keyframe…');
    this.key.hidden = !keys.length;
  }

  set_camera(is) {
    this.camera.value = is.type === FIXED ? String(is.fixedcamid) : '-1';
  }

  set_state(state) {
    document.body.classList.toggle('passive', !!state.passive);
    this.play.replaceChildren(icon(state.running ? 'pause' : 'play'));
    this.play.classList.toggle('on', state.running);
    const listed = SPEEDS.find((x) => Math.abs(x - state.speed) < 1e-9);
    this.speed.value = listed === undefined ? '' : String(listed);
    this.set_camera(this.app.view.is);
    const body = state.selected && this.app.model?.bodies[state.selected];
    this.selected.textContent = body ? `${body}` : '';
  }

  // slower or faster
  change_speed(by) {
    const at = SPEEDS.findIndex((x) => x <= (this.app.state?.speed ?? 1) + 1e-9);
    const next = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + by))];
    this.app.send({ do: 'speed', x: next });
  }

  next_camera(by) {
    const n = this.app.model.cameras.length + 1;
    this.app.look_through(((+this.camera.value + 1 + by + n) % n) - 1);
  }

  set_frame(frame) {
    this.time.textContent = `${frame.time.toFixed(3)} s`;
    const [place, n, first, last, pace] = frame.numbers[4] ?? [0, 0, 0, 0, 0];
    this.scrub.max = String(Math.max(n - 1, 0));
    if (document.activeElement !== this.scrub || this.app.state?.running) this.scrub.value = String(place);
    this.span.textContent = n > 1 ? `${(last - first).toFixed(1)} s of history` : '';
    this.pace.textContent = this.app.state?.running ? `${pace.toFixed(2)}× real time` : 'paused';
  }
}
