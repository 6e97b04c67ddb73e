// A slider with its whole name and its value.
import { el, digits } from './dom.js';

export class Slider {
  constructor(id, name, range, send) {
    const [low, high] = range ?? [-1, 1];
    this.held = false;
    this.value = el('output', {}, '0');
    this.input = el('input', { type: 'range', id, min: String(low), max: String(high), step: String((high - low) / 1000 || 0.001) });
    this.input.addEventListener('input', () => { this.show(+this.input.value); send(+this.input.value); });
    this.input.addEventListener('pointerdown', () => { this.held = true; });
    for (const end of ['pointerup', 'pointercancel', 'blur']) this.input.addEventListener(end, () => { this.held = false; });
    this.node = el('div', { class: 'slider', title: name }, el('span', {}, name), this.input, this.value);
    this.open = !range;
  }

  show(x) {
    this.value.textContent = digits(x);
  }

  set(x) {
    if (this.held || x === this.last) return;
    this.last = x;
    // the range of a joint without limits grows with its position
    if (this.open && Math.abs(x) > +this.input.max) {
      const far = Math.abs(x) * 1.5;
      Object.assign(this.input, { min: String(-far), max: String(far), step: String(far / 500) });
    }
    this.input.value = String(x);
    this.show(x);
  }
}
