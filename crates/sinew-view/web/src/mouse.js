// What the mouse does in the view: turns, moves and zooms it; selects and pulls bodies.

const DRAG = 3;

export class Mouse {
  constructor(canvas, view, app) {
    this.canvas = canvas;
    this.view = view;
    this.app = app;
    this.hand = false;
    this.drag = null;
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

  // where the cursor is, as mjv_select wants it
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

  // browsers tell of double clicks of the left button only
  twice(e) {
    const before = this.last_right;
    this.last_right = { time: e.timeStamp, x: e.clientX, y: e.clientY };
    return before && e.timeStamp - before.time < 350 && Math.hypot(e.clientX - before.x, e.clientY - before.y) < 6;
  }

  move(e) {
    if (!this.drag) return;
    const height = this.canvas.clientHeight;
    const dx = (e.clientX - this.drag.x) / height, dy = (e.clientY - this.drag.y) / height;
    this.drag.far += Math.abs(e.clientX - this.drag.x) + Math.abs(e.clientY - this.drag.y);
    if (this.drag.far < DRAG) return;
    [this.drag.x, this.drag.y] = [e.clientX, e.clientY];
    // nothing was there to pull: the view is turned instead
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

  up() {
    if (this.drag?.pulls) this.app.send({ do: 'release' });
    this.drag = null;
    this.canvas.style.cursor = this.hand ? 'grab' : '';
  }
}
