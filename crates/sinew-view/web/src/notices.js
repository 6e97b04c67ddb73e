// Diagnostics of the model, and help.
import { el, icon } from './dom.js';
import { HELP } from './words.js';

export class Notices {
  constructor() {
    this.node = el('div', { id: 'notices' });
  }

  set({ title = '', list = [], hidden = 0 }) {
    const bad = list.some((d) => d.error);
    this.node.className = bad ? 'bad' : '';
    if (!list.length) {
      this.node.replaceChildren();
      return;
    }
    const close = el('button', { class: 'icon', title: 'Close', onclick: () => this.node.replaceChildren() }, icon('close'));
    this.node.replaceChildren(el('div', { class: 'card' }, el('h3', {}, title, close), ...list.map(entry),
      hidden ? el('p', {}, `and ${hidden} more`) : null));
  }
}

function entry(d) {
  const code = el('pre', {});
  for (const [n, text] of d.lines ?? []) {
    const here = n === d.line;
    code.append(el('div', { class: here ? 'here' : '' }, el('span', { class: 'n' }, String(n)), text));
    if (here) code.append(el('div', { class: 'here' }, el('span', { class: 'n' }, ''), `${' '.repeat(Math.max(d.column - 1, 0))}^`));
  }
  const place = d.file !== undefined ? `${d.file}:${d.line}:${d.column}` : '';
  return el('article', { class: d.error ? 'error' : 'warning' },
    el('p', { class: 'message' }, el('b', {}, d.error ? 'error ' : 'warning '), d.message),
    place ? el('p', { class: 'place' }, place) : null,
    d.lines?.length ? code : null,
    d.help ? el('p', { class: 'help' }, d.help) : null);
}

export class Help {
  constructor() {
    this.node = el('div', { id: 'help', onclick: () => this.toggle(false) }, el('div', { class: 'card' },
      ...HELP.map(([title, rows]) => el('section', {}, el('h3', {}, title),
        ...rows.map(([key, what]) => el('div', { class: 'row' }, el('kbd', {}, key), el('span', {}, what)))))));
  }

  toggle(on) {
    this.node.classList.toggle('on', on);
  }
}
