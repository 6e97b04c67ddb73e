// Curves over time.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { el, digits } from './dom.js';

const KEPT = 900;
const COLORS = ['#5ad1b4', '#f2a65a', '#7aa7ff', '#e8739a', '#c9d05c', '#b48cf2'];
const REDRAW = 120;

// a plot: the names of its curves, and the functions from a frame to their values
export class Plot {
  constructor(id, title, curves, log) {
    this.title = title;
    this.curves = curves;
    this.data = [[], ...curves.map(() => [])];
    this.drawn = 0;
    this.host = el('div', { class: 'plot-host' });
    this.values = curves.map(() => el('b', {}, '–'));
    const legend = el('div', { class: 'legend' }, ...curves.map((c, i) => {
      const dot = el('i', {});
      dot.style.background = COLORS[i % COLORS.length];
      return el('span', {}, dot, c.name, ' ', this.values[i]);
    }));
    this.close = el('button', { class: 'close', title: 'Remove the plot', onclick: () => this.onclose?.() }, '×');
    this.node = el('div', { class: 'plot', id: `plot-${id}` }, el('h4', {}, title, this.close), this.host, legend);
    this.log = log;
  }

  add(time, frame) {
    const [times] = this.data;
    if (times.length && time < times.at(-1)) this.cut(time);
    if (times.length && time === times.at(-1)) return;
    times.push(time);
    this.curves.forEach((curve, i) => this.data[i + 1].push(curve.of(frame)));
    if (times.length > KEPT) for (const list of this.data) list.shift();
    this.changed = true;
  }

  // time went back: the plot drops later values
  cut(time) {
    const n = this.data[0].findIndex((t) => t >= time);
    if (n >= 0) for (const list of this.data) list.length = n;
    this.changed = true;
  }

  draw(now) {
    if (!this.changed || now - this.drawn < REDRAW || !this.host.clientWidth) return;
    this.drawn = now;
    this.changed = false;
    this.chart ??= this.make();
    if (this.chart.width !== this.host.clientWidth) this.chart.setSize({ width: this.host.clientWidth, height: 118 });
    this.chart.setData(this.data);
    this.values.forEach((node, i) => {
      const last = this.data[i + 1].at(-1);
      node.textContent = last === undefined ? '–' : digits(last);
    });
  }

  make() {
    const axis = { stroke: '#8d9aa8', grid: { stroke: 'rgba(255,255,255,.06)', width: 1 }, ticks: { show: false }, font: '10px system-ui' };
    return new uPlot({
      width: this.host.clientWidth, height: 118, legend: { show: false }, cursor: { y: false, points: { show: false } },
      scales: { x: { time: false }, y: this.log ? { distr: 3 } : { range: (_, low, high) => pad(low, high) } },
      axes: [{ ...axis, size: 20 }, { ...axis, size: 46, values: (_, list) => list.map((v) => (v === null ? '' : Math.abs(v) >= 1e4 || (v !== 0 && Math.abs(v) < 1e-2) ? v.toExponential(0) : +v.toPrecision(4))) }],
      series: [{}, ...this.curves.map((c, i) => ({ label: c.name, stroke: COLORS[i % COLORS.length], width: 1.6, points: { show: false } }))],
    }, this.data, this.host);
  }
}

function pad(low, high) {
  if (low === null) return [0, 1];
  const room = Math.max((high - low) * 0.08, Math.abs(high) * 1e-3, 1e-6);
  return [low - room, high + room];
}

// traces of a frame: potential and kinetic energy, iterations, contacts, rows, residual
const trace = (k) => (f) => f.numbers[3]?.[k] ?? 0;

export function standard_plots(model) {
  const plots = [
    new Plot('energy', 'Energy, J', [
      { name: 'potential', of: trace(0) }, { name: 'kinetic', of: trace(1) },
      { name: 'total', of: (f) => trace(0)(f) + trace(1)(f) },
    ]),
    new Plot('solver', 'Solver', [
      { name: 'iterations', of: trace(2) }, { name: 'contacts', of: trace(3) }, { name: 'rows', of: trace(4) },
    ]),
  ];
  if (model.coulomb) {
    plots.push(new Plot('certificate', 'Residual of exact friction', [
      { name: 'relative residual', of: (f) => Math.max(trace(5)(f), 1e-18) },
    ], true));
  }
  return plots;
}

export function joint_plot(joint, i) {
  const unit = joint.hinge ? 'rad' : 'm';
  return new Plot(`joint-${i}`, joint.name, [{ name: `position, ${unit}`, of: (f) => f.numbers[1]?.[i] ?? 0 }]);
}

export function sensor_plot(sensor, i) {
  const curves = [];
  for (let k = 0; k < Math.min(sensor.dim, COLORS.length); k++) {
    const name = sensor.dim === 1 ? 'value' : sensor.dim <= 4 && sensor.dim !== 4 ? 'xyz'[k] : String(k);
    curves.push({ name, of: (f) => f.numbers[2]?.[sensor.adr + k] ?? 0 });
  }
  return new Plot(`sensor-${i}`, sensor.name, curves);
}
