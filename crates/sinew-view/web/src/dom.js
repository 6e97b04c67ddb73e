// Elements of the page.

export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'class') node.className = value;
    else if (key in node && typeof value !== 'string') node[key] = value;
    else node.setAttribute(key, value);
  }
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}

const paths = {
  play: 'M7 4.5v15l12-7.5z', pause: 'M6 5h4v14H6zM14 5h4v14h-4z', step: 'M5 5v14l9-7zM16 5h3v14h-3z',
  back: 'M19 5v14l-9-7zM5 5h3v14H5z', reset: 'M12 5a7 7 0 1 1-6.6 4.7l1.9.7A5 5 0 1 0 12 7v3L7 6l5-4z',
  camera: 'M4 7h4l1.5-2h5L16 7h4v12H4zm8 2.5a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  video: 'M3 6h12v12H3zm13 4 5-3v10l-5-3z', help: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zm-1 13v2h2v-2zm1-10c-2 0-3.5 1.2-3.7 3.2h2c.2-1 .8-1.4 1.7-1.4 1 0 1.7.6 1.7 1.5 0 1.5-2.6 1.7-2.6 4.7h2c0-2 2.7-2.3 2.7-4.8C15.800 7.300 14.200 6 12 6z',
  hand: 'M8 11V5.500a1.500 1.500 0 0 1 3 0V10h.5V4.500a1.500 1.500 0 0 1 3 0V10h.5V6a1.500 1.500 0 0 1 3 0v8c0 4-2.500 7-6 7-3 0-4.700-1.400-6-4l-2.300-4.500c-.8-1.600 1.200-2.800 2.300-1.500z',
  reload: 'M12 4V1l5 4-5 4V6a6 6 0 1 0 6 6h2a8 8 0 1 1-8-8z',
  menu: 'M4 6h16v2H4zm0 5h16v2H4zm0 5h16v2H4z',
  left: 'M4 5h16v14H4zm2 2v10h4V7z', right: 'M4 5h16v14H4zm10 2v10h4V7z', close: 'M6 4.600 12 10.600l6-6L19.400 6l-6 6 6 6-1.400 1.400-6-6-6 6L4.600 18l6-6-6-6z',
};

export function icon(name) {
  const ns = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  const path = document.createElementNS(ns, 'path');
  path.setAttribute('d', paths[name]);
  path.setAttribute('fill-rule', 'evenodd');
  svg.append(path);
  return svg;
}

export function button(name, title, onclick, id) {
  return el('button', { title, onclick, id: id ?? `do-${name}`, class: 'icon' }, icon(name));
}

export function section(title, open, ...children) {
  const details = el('details', { open }, el('summary', {}, title), ...children);
  details.id = `section-${title.toLowerCase().replaceAll(' ', '-')}`;
  return details;
}

export function options(select, names, first) {
  select.replaceChildren(...(first ? [el('option', { value: '' }, first)] : []),
    ...names.map((name, i) => el('option', { value: String(i) }, name)));
}

export const digits = (x) => (Math.abs(x) >= 1000 || (Math.abs(x) < 0.001 && x !== 0) ? x.toExponential(2) : x.toFixed(3));
