// Mouse and fingers in the view: they turn, move and zoom it, select bodies and pull them.

const DRAG = 3;
const TWICE = 350;

export class Mouse {
  constructor(canvas, view, app) {
    this.canvas = canvas;
    this.view = view;
    this.app = app;
    this.hand = false;
    this.drag = null;
    this.fingers = new Map();
    canvas.addEventListener('pointerdown', (e) => this.down(e));
    canvas.addEventListener('pointermove', (e) => this.move(e));
    canvas.addEventListener('pointerup', (e) => this.up(e));
    canvas.addEventListener('pointercancel', (e) => this.up(e));
    canvas.addEventListener('contextmenu', (e) => e.preventDefault());
    canvas.addEventListener('wheel', (e) => {
      e.preventDefault();
      view.zoom(Math.sign(e.deltaY) * Math.min(Math.abs(e.deltaY) / 600, 0.3));
      app.looked();
    }, { passive: false });
    canvas.addEventListener('dblclick', (e) => app.send({ do: 'select', ...this.pointer(e) }));
  }

  // the cursor's place in the view, in the units of mjv_select
  pointer(e) {
    const box = this.canvas.getBoundingClientRect();
    const { version, ...camera } = this.view.is;
    return {
      camera, aspect: box.width / box.height,
      x: (e.clientX - box.left) / box.width, y: 1 - (e.clientY - box.top) / box.height,
    };
  }

  down(e) {
    this.canvas.setPointerCapture(e.pointerId);
    this.canvas.focus();
    if (e.pointerType === 'touch' && this.touch(e)) return;
    const left = e.button === 0;
    const pulls = this.app.live && ((this.hand && left && !e.ctrlKey) || ((e.ctrlKey || e.metaKey) && e.button !== 1));
    this.drag = { x: e.clientX, y: e.clientY, left, pulls, turn: pulls && left && !this.hand, far: 0 };
    if (!left && this.twice(e)) {
      this.app.focus(this.pointer(e), e.ctrlKey);
      this.drag = null;
      return;
    }
    if (pulls) {
      const picks = this.hand || !this.app.state?.selected;
      this.app.send({ do: 'grab', ...this.pointer(e), turn: this.drag.turn, pick: picks });
      this.canvas.style.cursor = 'grabbing';
    }
  }

  // browsers report double clicks of the left button alone, and some report none of fingers
  twice(e, near = 6) {
    const before = this.last;
    this.last = { time: e.timeStamp, x: e.clientX, y: e.clientY };
    return before && e.timeStamp - before.time < TWICE && Math.hypot(e.clientX - before.x, e.clientY - before.y) < near;
  }

  // counts another finger on the view; returns whether the finger begins no drag
  touch(e) {
    this.fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    if (this.fingers.size > 1) {
      this.release();
      this.span = this.spread();
      return true;
    }
    if (!this.twice(e, 24)) return false;
    this.app.send({ do: 'select', ...this.pointer(e) });
    return true;
  }

  // middle and distance of the first two fingers
  spread() {
    const [a, b] = [...this.fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, far: Math.max(Math.hypot(a.x - b.x, a.y - b.y), 1) };
  }

  // two fingers move the view and zoom it
  pinch() {
    const now = this.spread(), height = this.canvas.clientHeight;
    this.view.pan((now.x - this.span.x) / height, (now.y - this.span.y) / height, false);
    this.view.zoom(Math.log(this.span.far / now.far));
    this.span = now;
    this.app.looked();
  }

  move(e) {
    if (this.fingers.has(e.pointerId)) {
      this.fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
      if (this.fingers.size > 1) return this.pinch();
    }
    if (!this.drag) return;
    const height = this.canvas.clientHeight;
    const dx = (e.clientX - this.drag.x) / height, dy = (e.clientY - this.drag.y) / height;
    this.drag.far += Math.abs(e.clientX - this.drag.x) + Math.abs(e.clientY - this.drag.y);
    if (this.drag.far < DRAG) return;
    [this.drag.x, this.drag.y] = [e.clientX, e.clientY];
    // a drag that holds no body turns the view
    if (this.drag.pulls && this.hand && this.drag.far > 60 && !this.app.state?.held) this.drag.pulls = false;
    if (this.drag.pulls) {
      const level = e.shiftKey ? '-level' : '';
      this.app.send({ do: 'drag', action: (this.drag.turn ? 'turn' : 'move') + level, dx, dy });
      return;
    }
    if (this.drag.left) this.view.rotate(dx, dy);
    else this.view.pan(dx, dy, e.shiftKey);
    this.app.looked();
  }

  up(e) {
    this.fingers.delete(e.pointerId);
    if (this.fingers.size > 1) this.span = this.spread();
    this.release();
  }

  release() {
    if (this.drag?.pulls) this.app.send({ do: 'release' });
    this.drag = null;
    this.canvas.style.cursor = this.hand ? 'grab' : '';
  }
}
