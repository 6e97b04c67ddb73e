// The page: it draws the server's messages, and sends the user's input to the server.
import './style.css';
import * as wire from './wire.js';
import { Drawing } from './draw.js';
import { View, FREE, TRACKING, FIXED } from './camera.js';
import { Mouse } from './mouse.js';
import { ViewPanel, DataPanel } from './panels.js';
import { Live } from './live.js';
import { Recorded } from './recorded.js';
import { Toolbar } from './toolbar.js';
import { Notices, Help } from './notices.js';
import { Overlay } from './overlay.js';
import { Capture } from './capture.js';
import { keys } from './keys.js';
import { el } from './dom.js';

class App {
  constructor(root) {
    this.live = !Recorded.find();
    this.send = (event) => this.source.send(event);
    this.canvas = el('canvas', { id: 'view', tabindex: '0' });
    root.append(this.canvas);
    this.drawing = new Drawing(this.canvas);
    this.view = new View();
    this.mouse = new Mouse(this.canvas, this.view, this);
    this.capture = new Capture(this);
    this.left = new ViewPanel(this);
    this.right = new DataPanel(this);
    this.toolbar = new Toolbar(this);
    this.notices = new Notices();
    this.help = new Help();
    this.overlay = new Overlay();
    root.append(this.left.node, this.right.node, this.toolbar.top, this.toolbar.bottom,
      this.overlay.node, this.notices.node, this.help.node);
    if (!this.live) document.body.classList.add('recorded');
    const wanted = new URLSearchParams(location.search);
    for (const word of ['bare', 'no-left', 'no-right']) if (wanted.has(word)) document.body.classList.add(word);
    if (this.narrow()) document.body.classList.add('no-left', 'no-right');
    keys(this);
    this.drops();
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    const receive = (message, history) => this.receive(message, history);
    this.source = this.live ? new Live(receive, (on, why) => this.connected(on, why)) : new Recorded(receive);
    this.drawn = 0;
    const loop = (now) => { this.draw(now); requestAnimationFrame(loop); };
    requestAnimationFrame(loop);
  }

  // whether a panel would cover the view
  narrow() {
    return matchMedia('(max-width: 760px)').matches;
  }

  // opens or folds a panel; a narrow page has one at a time
  fold(side) {
    const { classList } = document.body;
    const opens = !classList.toggle(`no-${side}`);
    if (opens && this.narrow()) classList.add(side === 'left' ? 'no-right' : 'no-left');
  }

  connected(on, why) {
    this.toolbar.connected(on, why);
    if (on) this.resize();
  }

  receive(message, history) {
    switch (wire.kind(message)) {
      case wire.MODEL: return this.set_model(wire.model(message));
      case wire.STATE: return this.set_state(wire.value(message));
      case wire.STYLE: return this.drawing.set_style(wire.style(message));
      case wire.NOTICE: return this.notices.set(wire.value(message));
      case wire.OVERLAY: return this.overlay.set(wire.value(message));
      case wire.KEYS: return this.set_keys(wire.value(message));
      case wire.WIDGETS: return this.right.widgets.set(wire.value(message));
      case wire.FRAME: {
        // a frame that was not drawn yet is skipped, and counts as drawn
        if (this.pending && this.live) this.send({ do: 'drawn' });
        this.pending = wire.frame(message);
        if (history) this.pending.numbers[4] = [...history, this.source.running ? this.source.speed : 0];
      }
    }
  }

  set_model(model) {
    const first = !this.model;
    this.model = model;
    document.title = `${model.name.split(/[\\/]/).pop() || 'Sinew'} – Sinew`;
    this.pending = null;
    this.drawing.set_model(model);
    this.view.set_model(model);
    this.right.set_model(model);
    this.toolbar.set_model(model);
    if (first) document.body.classList.add('ready');
  }

  set_keys(keys) {
    this.toolbar.set_keys(keys);
    this.right.keyframes.set(keys);
  }

  set_state(state) {
    const tracks = this.wants_track && state.selected;
    this.state = state;
    this.view.adopt(state.camera);
    if (tracks) {
      Object.assign(this.view.is, { type: TRACKING, trackbodyid: state.selected });
      this.wants_track = false;
      this.looked();
    }
    this.left.set_state(state);
    this.right.physics.set_state(state);
    this.toolbar.set_state(state);
    this.dirty = true;
  }

  draw(now) {
    if (!this.model) return;
    const frame = this.pending;
    if (frame) {
      this.pending = null;
      if (this.drawing.set_frame(frame)) {
        this.frame = frame;
        this.drawn += 1;
        this.view.poses = frame.numbers[5];
        if (this.view.is.type === TRACKING && frame.numbers[6]) this.view.is.lookat = [...frame.numbers[6]];
        this.right.set_frame(frame);
        this.toolbar.set_frame(frame);
      }
      this.dirty = true;
    }
    this.right.draw(now);
    if (this.dirty && this.frame) {
      this.dirty = false;
      this.drawing.render(this.view.update());
    }
    // the server sends the next frame after this message
    if (frame && this.live) this.send({ do: 'drawn' });
  }

  // tells the program that the camera moved, but not for every pixel of a drag
  looked() {
    this.dirty = true;
    this.toolbar.set_camera(this.view.is);
    if (!this.live || this.telling) return;
    this.telling = setTimeout(() => {
      this.telling = null;
      const { version, ...camera } = this.view.is;
      this.send({ do: 'look', camera });
    }, 60);
  }

  // through a camera of the model, or freely
  look_through(id) {
    const { is } = this.view;
    if (id < 0) {
      if (is.type === FIXED) this.view.leave_fixed();
      is.type = FREE;
    } else Object.assign(is, { type: FIXED, fixedcamid: id });
    this.looked();
  }

  // looks at the point under the cursor, or follows its body
  focus(pointer, track) {
    if (track && this.live) {
      this.wants_track = true;
      this.send({ do: 'select', ...pointer });
      return;
    }
    const point = this.drawing.pick(this.view.update(), 2 * pointer.x - 1, 2 * pointer.y - 1);
    if (!point) return;
    this.view.leave_fixed();
    this.view.is.type = FREE;
    this.view.is.lookat = point;
    this.looked();
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.canvas;
    if (!w || !h) return;
    this.drawing.resize(w, h, Math.min(devicePixelRatio, 2));
    this.view.aspect = w / h;
    this.dirty = true;
    if (this.live) this.send({ do: 'size', width: w, height: h });
  }

  drops() {
    const over = (on) => document.body.classList.toggle('dropping', on);
    document.addEventListener('dragover', (e) => { e.preventDefault(); over(true); });
    document.addEventListener('dragleave', (e) => { if (!e.relatedTarget) over(false); });
    document.addEventListener('drop', (e) => {
      e.preventDefault();
      over(false);
      if (this.live && e.dataTransfer.files.length) this.drop([...e.dataTransfer.files]);
    });
  }

  drop(files) {
    return this.source.drop(files).catch((error) => {
      this.notices.set({ title: 'Nothing was loaded', list: [{ error: true, code: 'drop', message: error.message }] });
    });
  }
}

// access for the tests
window.sinew = new App(document.getElementById('app'));
