// The options of the physics, which the server lists with their bounds.
import { el, section } from './dom.js';

export class Physics {
  constructor(send) {
    this.send = send;
    this.host = el('div', { class: 'physics' });
    this.node = section('Physics', false, this.host);
  }

  set_model(model) {
    this.entries = model.physics ?? [];
    this.fields = null;
  }

  // the first state has the number of values of each option
  set_state({ physics }) {
    if (!physics || !this.entries) return;
    this.values = physics;
    if (!this.fields) {
      this.fields = this.entries.map((entry, i) => this.field(entry, i));
      this.host.replaceChildren(...this.fields.map((field) => field.node));
    }
    this.fields.forEach((field, i) => field.show(physics[i]));
  }

  set(i, x) {
    this.values[i] = x;
    this.send({ do: 'option', name: this.entries[i].name, x });
  }

  field(entry, i) {
    if (entry.choice) return this.choice(entry, i);
    if (entry.flags) return this.flags(entry, i);
    if (entry.groups) return this.groups(entry, i);
    return this.numbers(entry, i);
  }

  choice({ name, choice }, i) {
    const select = el('select', { id: `option-${name}`, onchange: () => this.set(i, [+select.value]) },
      ...choice.map((text, k) => el('option', { value: String(k) }, text)));
    return { node: row(name, select), show: ([x]) => { select.value = String(x); } };
  }

  numbers({ name, range: [low, high], whole }, i) {
    // a number that is being typed stays, although the server sends others
    const typed = new Set();
    const inputs = this.values[i].map((_, k) => {
      const input = el('input', { type: 'number', step: whole ? '1' : 'any', id: `option-${name}${k ? `-${k}` : ''}` });
      input.addEventListener('input', () => typed.add(input));
      input.addEventListener('blur', () => typed.delete(input));
      input.addEventListener('change', () => {
        typed.delete(input);
        const x = Math.min(high, Math.max(low, +input.value));
        const next = this.values[i].map((old, j) => (j === k ? (whole ? Math.round(x) : x) : old));
        if (input.value === '' || next.some(Number.isNaN)) input.value = String(this.values[i][k]);
        else this.set(i, next);
      });
      return input;
    });
    const shows = (input, x) => input.value !== '' && +input.value === x;
    const show = (x) => inputs.forEach((input, k) => { if (!typed.has(input) && !shows(input, x[k])) input.value = String(x[k]); });
    return { node: row(name, el('div', { class: 'numbers' }, ...inputs)), show };
  }

  // features that a bit switches on, or off
  flags({ name, flags }, i) {
    const off = name === 'disableflags';
    const inputs = flags.map((flag, bit) => {
      const input = el('input', { type: 'checkbox', id: `option-${flag}`, onchange: () => this.flip(i, bit, input.checked !== off) });
      return { input, label: el('label', { class: 'toggle', for: `option-${flag}` }, input, el('span', {}, flag)) };
    });
    const show = ([x]) => inputs.forEach(({ input }, bit) => { input.checked = !!(x >> bit & 1) !== off; });
    return { node: el('div', { class: 'grid two' }, ...inputs.map((f) => f.label)), show };
  }

  groups({ name, groups }, i) {
    const buttons = Array.from({ length: groups }, (_, bit) => el('button', {
      class: 'group', id: `option-${name}-${bit}`, onclick: () => this.flip(i, bit, !(this.values[i][0] >> bit & 1)),
    }, String(bit)));
    const show = ([x]) => buttons.forEach((b, bit) => b.classList.toggle('on', !(x >> bit & 1)));
    return { node: el('div', { class: 'groups' }, el('span', {}, 'Actuators'), el('div', {}, ...buttons)), show };
  }

  flip(i, bit, on) {
    const [x] = this.values[i];
    this.set(i, [on ? x | 1 << bit : x & ~(1 << bit)]);
  }
}

function row(name, node) {
  return el('div', { class: 'row' }, el('span', {}, name), node);
}
