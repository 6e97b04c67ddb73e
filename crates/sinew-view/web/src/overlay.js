// Texts, figures and pictures that a script lays over the view.
import { el } from './dom.js';

const CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right', 'top', 'bottom', 'left', 'right'];

export class Overlay {
  constructor() {
    this.node = el('div', { id: 'overlay' });
  }

  set({ texts = [], images = [], figures = [] }) {
    this.node.replaceChildren(
      ...texts.map(([font, corner, left, right]) => {
        const size = `${Math.max(font, 50) / 100}em`;
        const box = el('div', { class: `text ${CORNERS[corner] ?? CORNERS[0]}` }, el('pre', {}, left), el('pre', {}, right));
        box.style.fontSize = size;
        return box;
      }),
      ...images.map((image) => place(picture(image), image)),
      ...figures.map((figure) => place(chart(figure), figure)));
  }
}

// rectangles count from the lower left corner, as MuJoCo's do
function place(node, { rect: [left, bottom, width, height] }) {
  Object.assign(node.style, { left: `${left}px`, bottom: `${bottom}px`, width: `${width}px`, height: `${height}px` });
  return node;
}

function picture({ rect: [, , width, height], data }) {
  const canvas = el('canvas', { class: 'image' });
  [canvas.width, canvas.height] = [width, height];
  const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
  const pixels = new ImageData(width, height);
  for (let i = 0; i < width * height; i++) {
    for (let k = 0; k < 3; k++) pixels.data[4 * i + k] = bytes[3 * i + k];
    pixels.data[4 * i + 3] = 255;
  }
  canvas.getContext('2d').putImageData(pixels, 0, 0);
  return canvas;
}

const COLORS = ['#5ad1b4', '#f2a65a', '#7aa7ff', '#e8739a', '#c9d05c', '#b48cf2'];

function chart({ rect: [, , width, height], title, lines, colors, range }) {
  const canvas = el('canvas', { class: 'image figure' });
  [canvas.width, canvas.height] = [2 * width, 2 * height];
  const c = canvas.getContext('2d');
  c.scale(2, 2);
  const all = lines.flat();
  const bounds = (k) => {
    const given = range?.[k];
    if (given && given[0] < given[1]) return given;
    const values = all.map((p) => p[k]);
    return values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
  };
  const [[x0, x1], [y0, y1]] = [bounds(0), bounds(1)];
  const [left, top, right, bottom] = [40, 22, width - 8, height - 18];
  c.font = '11px system-ui';
  c.fillStyle = '#d7dee6';
  c.fillText(title, left, 14);
  c.fillText(String(+y1.toPrecision(3)), 4, top + 8);
  c.fillText(String(+y0.toPrecision(3)), 4, bottom);
  c.fillText(String(+x0.toPrecision(3)), left, height - 5);
  c.fillText(String(+x1.toPrecision(3)), right - 24, height - 5);
  c.strokeStyle = 'rgba(255,255,255,.2)';
  c.strokeRect(left, top, right - left, bottom - top);
  lines.forEach((points, i) => {
    c.strokeStyle = colors?.[i] ?? COLORS[i % COLORS.length];
    c.beginPath();
    for (const [x, y] of points) {
      c.lineTo(left + ((x - x0) / (x1 - x0 || 1)) * (right - left), bottom - ((y - y0) / (y1 - y0 || 1)) * (bottom - top));
    }
    c.stroke();
  });
  return canvas;
}
