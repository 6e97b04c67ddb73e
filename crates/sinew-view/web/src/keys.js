// Keys, MuJoCo's where it has one.

// numbers of keys that scripts know from GLFW
const GLFW = {
  ' ': 32, Escape: 256, Enter: 257, Tab: 258, Backspace: 259, Insert: 260, Delete: 261, ArrowRight: 262,
  ArrowLeft: 263, ArrowDown: 264, ArrowUp: 265, PageUp: 266, PageDown: 267, Home: 268, End: 269,
  Shift: 340, Control: 341, Alt: 342,
};

function number(e) {
  if (/^F\d+$/.test(e.key)) return 289 + +e.key.slice(1);
  return GLFW[e.key] ?? (e.key.length === 1 ? e.key.toUpperCase().charCodeAt(0) : -1);
}

export function keys(app) {
  document.addEventListener('keydown', (e) => {
    const typing = e.target.matches?.('input[type=number], input[type=text], textarea, select') || (e.target.matches?.('input[type=range]') && e.key.startsWith('Arrow'));
    if (typing || e.metaKey) return;
    if (app.live && app.state?.passive && !e.repeat) app.send({ do: 'pressed', key: number(e) });
    if (handle(app, e)) e.preventDefault();
  });
}

function handle(app, e) {
  const { toolbar, send } = app;
  if (e.ctrlKey || e.altKey) return false;
  if (app.right.widgets.steer(e)) return true;
  switch (e.key) {
    case ' ': toolbar.toggle(); return true;
    case 'ArrowRight': send({ do: 'step', n: 1 }); return true;
    case 'ArrowLeft': send({ do: 'step', n: -1 }); return true;
    case 'Backspace': send({ do: 'reset' }); return true;
    case '-': toolbar.change_speed(1); return true;
    case '=': case '+': toolbar.change_speed(-1); return true;
    case 'Escape': app.help.toggle(false); app.look_through(-1); return true;
    case '[': toolbar.next_camera(-1); return true;
    case ']': toolbar.next_camera(1); return true;
    case 'Tab': app.fold(e.shiftKey ? 'right' : 'left'); return true;
    case 'F1': case '?': app.help.toggle(); return true;
  }
  const group = /^Digit([0-5])$/.exec(e.code);
  if (group && app.live) {
    app.left.groups[e.shiftKey ? 1 : 0][+group[1]].click();
    return true;
  }
  return app.left.key(e.key.length === 1 ? e.key.toUpperCase() : e.key, app.drawing, app);
}
