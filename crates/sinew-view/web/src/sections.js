// Sections of the right panel: the widgets of a script, keyframes, and the time of stages.
import { el, section } from './dom.js';
import { Slider } from './slider.js';

// sliders, buttons and texts of a script
export class Widgets {
  constructor(send) {
    this.send = send;
    this.shown = new Map();
    this.title = el('summary', {}, '');
    this.host = el('div', { class: 'widgets' });
    this.node = el('details', { open: true, id: 'section-script', hidden: true }, this.title, this.host);
  }

  set({ title, list, steered }) {
    this.title.textContent = title;
    this.steered = steered ? list.filter((w) => w.kind === 'slider') : [];
    this.node.hidden = !list.length;
    // a known widget keeps its element, so that a drag of its slider continues
    const before = this.shown;
    this.shown = new Map(list.map((w) => [w.id, before.get(w.id) ?? this.make(w)]));
    for (const w of list) this.shown.get(w.id).show(w);
    const nodes = [...this.shown.values()].map((w) => w.node);
    if (nodes.length !== this.host.children.length || nodes.some((n, i) => n !== this.host.children[i])) this.host.replaceChildren(...nodes);
  }

  // arrow keys move the sliders of a driven robot; returns whether the key was one of them
  steer({ key, shiftKey }) {
    const sliders = this.steered ?? [], last = sliders.length - 1;
    if (key === 'Enter' && sliders.length) {
      for (const w of sliders) this.send({ do: 'widget', id: w.id, x: 0 });
      return true;
    }
    const up = { ArrowUp: 1, ArrowDown: -1 }[key], left = { ArrowLeft: 1, ArrowRight: -1 }[key];
    const chosen = up ? sliders[0] : left && last > 0 ? sliders[shiftKey ? 1 : last] : null;
    if (!chosen) return false;
    // the message has a change, not a value: the server's answer to the last one may be outstanding
    this.send({ do: 'widget', id: chosen.id, by: (up ?? left) * (chosen.range[1] - chosen.range[0]) / 20 });
    return true;
  }

  make({ id, kind, name, range, editable }) {
    const tell = (more) => this.send({ do: 'widget', id, ...more });
    if (kind === 'slider') {
      const slider = new Slider(`widget-${id}`, name, range, (x) => tell({ x }));
      return { node: slider.node, show: (w) => slider.set(w.value) };
    }
    if (kind === 'button') {
      const node = el('button', { class: 'wide', id: `widget-${id}`, onclick: () => tell({}) }, name);
      return { node, show() {} };
    }
    const node = editable
      ? el('input', { type: 'text', id: `widget-${id}`, onchange: () => tell({ text: node.value }) })
      : el('output', { id: `widget-${id}` });
    const show = (w) => { if (node !== document.activeElement) node[editable ? 'value' : 'textContent'] = w.text; };
    return { node: el('div', { class: 'text-row' }, el('span', {}, name), node), show };
  }
}

// keyframes of the model, and poses that were added
export class Keyframes {
  constructor(send) {
    this.send = send;
    this.host = el('div', { class: 'keyframes' });
    this.node = section('Keyframes', false, this.host,
      el('button', { class: 'wide', id: 'new-key', onclick: () => send({ do: 'new_key' }) }, 'New keyframe from this pose'));
  }

  set(keys) {
    this.host.replaceChildren(...keys.map((key, i) => this.row(key, i)));
  }

  row({ name, set, xml }, i) {
    const text = el('textarea', { readOnly: true, hidden: true, rows: 4, id: `key-xml-${i}` });
    text.value = xml ?? '';
    const shows = () => {
      text.hidden = !text.hidden;
      if (!text.hidden) text.select();
    };
    return el('div', {}, el('div', { class: 'key' },
      el('button', { id: `key-${i}`, title: 'Go to this keyframe', onclick: () => this.send({ do: 'key', i }) }, name),
      xml ? el('button', { id: `key-show-${i}`, title: 'The keyframe as MJCF', onclick: shows }, 'XML') : null,
      el('button', { id: `key-set-${i}`, class: set ? 'on' : '', title: 'Set this keyframe to the present pose', onclick: () => this.send({ do: 'set_key', i }) }, 'Set')), text);
  }
}

// by the numbers of mjtTimer
const STAGES = [['Kinematics', 8], ['Inertia', 9], ['Collision', 10], ['Constraint rows', 11], ['Row inertia', 12],
  ['Velocity', 4], ['Actuation', 5], ['Solver', 6], ['Integration', 7]];

// microseconds that the stages of a step take
export class Profiler {
  constructor() {
    const row = (name) => {
      const bar = el('i', {}), value = el('output', {}, '–');
      return { name, bar, value, node: el('div', { class: 'stage' }, el('span', {}, name), value, bar) };
    };
    this.rows = [...STAGES.map(([name]) => row(name)), row('Rest')];
    this.total = el('p', { class: 'note', id: 'step-time' }, 'no steps yet');
    this.node = section('Profiler', false, this.total, ...this.rows.map((r) => r.node));
  }

  set_frame({ numbers }) {
    const times = numbers[7];
    if (!this.node.open || !times?.length || times[0] === this.last) return;
    const step = this.last = times[0];
    const spent = STAGES.map(([, k]) => times[k]);
    spent.push(Math.max(0, step - spent.reduce((a, b) => a + b, 0)));
    this.total.textContent = `${step.toPrecision(3)} µs for a step`;
    this.rows.forEach(({ bar, value }, i) => {
      bar.style.width = `${(100 * spent[i] / Math.max(step, 1e-9)).toFixed(1)}%`;
      value.textContent = `${spent[i].toFixed(spent[i] < 10 ? 2 : 0)} µs`;
    });
  }
}
