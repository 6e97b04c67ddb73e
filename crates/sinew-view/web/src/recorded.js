// A trajectory in the page itself, without a server.
import * as wire from './wire.js';

export class Recorded {
  static find() {
    return document.getElementById('recording');
  }

  constructor(receive) {
    this.receive = receive;
    this.frames = [];
    this.styles = new Map();
    this.at = 0;
    this.running = true;
    this.speed = 1;
    this.open();
  }

  async open() {
    const text = Recorded.find().textContent.trim();
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    const buffer = await new Response(stream).arrayBuffer();
    const view = new DataView(buffer);
    let model = null;
    for (let at = 0; at + 4 <= buffer.byteLength;) {
      const length = view.getUint32(at, true);
      const message = buffer.slice(at + 4, at + 4 + length);
      at += 4 + length;
      const kind = wire.kind(message);
      if (kind === wire.MODEL) model = message;
      else if (kind === wire.STATE) this.state = wire.value(message);
      else if (kind === wire.STYLE) this.styles.set(wire.style(message).version, message);
      else if (kind === wire.FRAME) this.frames.push(message);
    }
    this.times = this.frames.map((f) => new DataView(f).getFloat64(8, true));
    this.receive(model);
    this.post_state();
    this.show(0);
    this.begin = performance.now();
    this.tick();
  }

  post_state() {
    const state = { ...this.state, running: this.running, speed: this.speed };
    const text = new TextEncoder().encode(JSON.stringify(state));
    const buffer = new ArrayBuffer(8 + text.length);
    new DataView(buffer).setUint32(0, wire.STATE, true);
    new DataView(buffer).setUint32(4, text.length, true);
    new Uint8Array(buffer, 8).set(text);
    this.receive(buffer);
  }

  show(i) {
    if (!this.frames.length) return;
    this.at = Math.max(0, Math.min(i, this.frames.length - 1));
    const frame = this.frames[this.at];
    const version = new DataView(frame).getUint32(16, true);
    if (version !== this.style) {
      this.style = version;
      this.receive(this.styles.get(version));
    }
    this.receive(frame, [this.at, this.frames.length, this.times[0], this.times.at(-1)]);
  }

  tick() {
    const now = performance.now();
    if (this.running && this.frames.length > 1) {
      const length = this.times.at(-1) - this.times[0];
      this.clock = (this.clock ?? this.times[this.at]) + ((now - this.begin) / 1000) * this.speed;
      if (this.clock > this.times.at(-1)) this.clock = length > 0 ? this.times[0] : this.times.at(-1);
      let i = this.at;
      if (this.clock < this.times[i]) i = 0;
      while (i + 1 < this.times.length && this.times[i + 1] <= this.clock) i++;
      if (i !== this.at) this.show(i);
    } else this.clock = undefined;
    this.begin = now;
    requestAnimationFrame(() => this.tick());
  }

  send(event) {
    switch (event.do) {
      case 'run': this.running = event.on; break;
      case 'step': this.running = false; this.show(this.at + Math.sign(event.n)); break;
      case 'scrub': this.running = false; this.show(event.i); break;
      case 'speed': this.speed = event.x; break;
      case 'reset': this.clock = undefined; this.show(0); break;
      default: return;
    }
    this.post_state();
  }
}
