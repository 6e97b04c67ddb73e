// The panels: the visible elements on the left; settings and plots on the right.
import { el, section, options } from './dom.js';
import { FLAGS, RENDERING, GROUPS, LABELS, FRAMES } from './words.js';
import { Physics } from './physics.js';
import { Keyframes, Profiler, Widgets } from './sections.js';
import { Slider } from './slider.js';
import { standard_plots, sensor_plot, joint_plot } from './plots.js';

const MOST_SLIDERS = 200;

function toggle(id, text, key, onchange) {
  const input = el('input', { type: 'checkbox', id, onchange: () => onchange(input.checked) });
  const label = el('label', { class: 'toggle', for: id }, input, el('span', {}, text), key ? el('kbd', {}, key) : null);
  return { label, input };
}

export class ViewPanel {
  constructor(app) {
    const { drawing, send } = app;
    this.flags = FLAGS.map(([text, key], i) => toggle(`flag-${i}`, text, key, (on) => send({ do: 'flag', i, on })));
    // a recording has contacts and forces in its frames; a server sends them on request
    this.kinds = app.live ? RENDERING : [['extra', 'Contacts and forces', 'F'], ...RENDERING];
    this.rendering = this.kinds.map(([name, text, key]) => {
      const t = toggle(`show-${name}`, text, key, (on) => {
        drawing.show[name] = on;
        if (drawing.frame) drawing.set_frame(drawing.frame);
        app.dirty = true;
      });
      t.input.checked = drawing.show[name];
      return { ...t, name };
    });
    this.groups = GROUPS.map((_, kind) => [0, 1, 2, 3, 4, 5].map((i) => {
      const b = el('button', { class: 'group', id: `group-${kind}-${i}`, onclick: () => send({ do: 'group', kind, i, on: !b.classList.contains('on') }) }, String(i));
      return b;
    }));
    this.label = el('select', { id: 'label', onchange: () => send({ do: 'choice', of: 'label', i: +this.label.value }) });
    this.frame = el('select', { id: 'frame', onchange: () => send({ do: 'choice', of: 'frame', i: +this.frame.value }) });
    options(this.label, LABELS);
    options(this.frame, FRAMES);
    const number = (of) => {
      const input = el('input', { type: 'number', min: '0', id: of, onchange: () => send({ do: 'choice', of, i: Math.round(+input.value) }) });
      return input;
    };
    this.depth = number('bvh_depth');
    this.layer = number('flex_layer');
    const forces = [14, 16, 17, 12, 10, 20, 2, 4, 18, 0];
    const rest = FLAGS.map((_, i) => i).filter((i) => !forces.includes(i));
    this.live = el('div', {},
      section('Forces and frames', true,
        el('div', { class: 'grid' }, ...forces.map((i) => this.flags[i].label)),
        el('div', { class: 'row' }, el('span', {}, 'Labels'), this.label),
        el('div', { class: 'row' }, el('span', {}, 'Frames'), this.frame)),
      section('Groups', true, el('div', { class: 'groups' },
        ...GROUPS.flatMap((name, k) => [el('span', {}, name), el('div', {}, ...this.groups[k])]))),
      section('More', false,
        el('div', { class: 'grid' }, ...rest.map((i) => this.flags[i].label)),
        el('div', { class: 'row' }, el('span', {}, 'Tree depth'), this.depth),
        el('div', { class: 'row' }, el('span', {}, 'Flex layer'), this.layer)));
    this.node = el('aside', { id: 'left' },
      section('Rendering', true, el('div', { class: 'grid' }, ...this.rendering.map((r) => r.label))), this.live);
  }

  set_state(state) {
    state.flags.forEach((on, i) => { if (this.flags[i]) this.flags[i].input.checked = !!on; });
    state.groups.forEach((group, k) => group.forEach((on, i) => this.groups[k][i].classList.toggle('on', !!on)));
    this.label.value = String(state.label);
    this.frame.value = String(state.frame);
    this.depth.value = String(state.bvh_depth);
    this.layer.value = String(state.flex_layer);
  }

  // presses the switch of a key; returns whether the key has one
  key(key, drawing, app) {
    const rendering = this.rendering.find((r, i) => this.kinds[i][2] === key);
    if (rendering) {
      rendering.input.click();
      return true;
    }
    const i = FLAGS.findIndex(([, k]) => k === key);
    if (i >= 0 && app.live) this.flags[i].input.click();
    return i >= 0;
  }
}

export class DataPanel {
  constructor(app) {
    this.app = app;
    this.node = el('aside', { id: 'right' });
    this.widgets = new Widgets(app.send);
    this.keyframes = new Keyframes(app.send);
    this.physics = new Physics(app.send);
    this.profiler = new Profiler();
  }

  set_model(model) {
    const { send, live } = this.app;
    const clip = (list) => list.slice(0, MOST_SLIDERS);
    this.controls = clip(model.controls).map((c, i) => new Slider(`control-${i}`, c.name, c.range, (x) => send({ do: 'control', i, x })));
    this.joints = clip(model.joints).map((j, i) => new Slider(`joint-${i}`, j.name, j.range ?? (j.hinge ? [-Math.PI, Math.PI] : null), (x) => send({ do: 'joint', i: j.id, x })));
    this.plots = [];
    this.plot_host = el('div', {});
    standard_plots(model).forEach((plot) => this.add_plot(plot));
    const plots = [...model.sensors.map((s, i) => [s.name, () => sensor_plot(s, i)]),
      ...model.joints.map((j, i) => [`${j.name} (joint)`, () => joint_plot(j, i)])];
    this.choose = el('select', { id: 'add-plot', onchange: () => {
      if (this.choose.value !== '') this.add_plot(plots[+this.choose.value][1]());
      this.choose.value = '';
    } });
    options(this.choose, plots.map(([name]) => name), 'Add a sensor or a joint…');
    model.sensors.slice(0, 1).forEach((s, i) => this.add_plot(sensor_plot(s, i)));
    for (const slider of [...this.controls, ...this.joints]) slider.input.disabled = !live;
    const hidden = (all, shown) => (all.length > shown.length ? el('p', { class: 'note' }, `${all.length - shown.length} more are not shown`) : null);
    this.physics.set_model(model);
    this.node.replaceChildren(
      this.widgets.node,
      ...(model.controls.length ? [section('Controls', true, el('div', { class: 'list' }, ...this.controls.map((s) => s.node)), hidden(model.controls, this.controls),
        live ? el('button', { class: 'wide', id: 'clear-controls', onclick: () => send({ do: 'clear' }) }, 'Clear all') : null)] : []),
      ...(model.joints.length ? [section('Joints', !model.controls.length, el('div', { class: 'list' }, ...this.joints.map((s) => s.node)), hidden(model.joints, this.joints))] : []),
      section('Plots', true, this.plot_host, plots.length ? this.choose : null),
      ...(live ? [this.keyframes.node, this.physics.node, this.profiler.node] : []));
  }

  add_plot(plot) {
    if (this.plots.some((other) => other.node.id === plot.node.id)) return;
    plot.onclose = () => {
      this.plots = this.plots.filter((other) => other !== plot);
      plot.node.remove();
    };
    this.plots.push(plot);
    this.plot_host.append(plot.node);
  }

  set_frame(frame) {
    this.controls?.forEach((s, i) => s.set(frame.numbers[0]?.[i] ?? 0));
    this.joints?.forEach((s, i) => s.set(frame.numbers[1]?.[i] ?? 0));
    this.plots?.forEach((p) => p.add(frame.time, frame));
    this.profiler.set_frame(frame);
  }

  draw(now) {
    this.plots?.forEach((p) => p.draw(now));
  }
}
