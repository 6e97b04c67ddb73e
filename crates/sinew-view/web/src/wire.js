// Messages of the server, as src/wire.rs, assets.rs and frame.rs write them.

export const MODEL = 1, STATE = 2, STYLE = 3, FRAME = 4, NOTICE = 5, OVERLAY = 6, KEYS = 7, WIDGETS = 8;
const POSES = 1, LIGHTS = 2, SURFACE = 3, TUBES = 4, BALLS = 5, NUMBERS = 6;

const utf8 = new TextDecoder();

function json(buffer, at) {
  const length = new DataView(buffer).getUint32(at, true);
  const value = JSON.parse(utf8.decode(new Uint8Array(buffer, at + 4, length)));
  return [value, at + 4 + length];
}

export function kind(buffer) {
  return new DataView(buffer).getUint32(0, true);
}

// messages that are one JSON value
export function value(buffer) {
  return json(buffer, 4)[0];
}

// a model: its description, and views of the numbers it refers to
export function model(buffer) {
  const [m, blob] = json(buffer, 4);
  const surface = (s) => s && {
    n: s.n,
    pos: new Float32Array(buffer, blob + s.pos, 3 * s.n),
    normal: new Int8Array(buffer, blob + s.normal, 4 * s.n),
    uv: new Float32Array(buffer, blob + s.uv, 2 * s.n),
  };
  m.meshes = m.meshes.map((mesh) => ({ surface: surface(mesh.surface), hull: surface(mesh.hull) }));
  m.hfields = m.hfields.map(surface);
  for (const t of m.textures) {
    const size = t.complete ? t.width * t.height * t.channels : 0;
    t.data = new Uint8Array(buffer, blob + t.at, size);
  }
  for (const s of m.skins) {
    s.index = new Uint32Array(buffer, blob + s.face, 3 * s.faces);
    s.texcoord = s.uv === null ? null : new Float32Array(buffer, blob + s.uv, 2 * s.verts);
  }
  return m;
}

const STYLE_WORDS = 14;

// types, colours, materials and labels of geoms
export function style(buffer) {
  const view = new DataView(buffer);
  const n = view.getUint32(8, true);
  const ints = new Int32Array(buffer, 12, n * STYLE_WORDS);
  const floats = new Float32Array(buffer, 12, n * STYLE_WORDS);
  const geoms = [];
  for (let i = 0; i < n; i++) {
    const k = i * STYLE_WORDS;
    const marks = ints[k + 5];
    geoms.push({
      type: ints[k], dataid: ints[k + 1], matid: ints[k + 2],
      objtype: ints[k + 3], objid: ints[k + 4],
      category: marks & 0xff, texcoord: !!(marks & 0x100), extra: !!(marks & 0x400),
      rgba: [...floats.subarray(k + 6, k + 10)],
      emission: floats[k + 10], specular: floats[k + 11],
      shininess: floats[k + 12], reflectance: floats[k + 13],
      label: '',
    });
  }
  for (const [i, text] of json(buffer, 12 + 4 * n * STYLE_WORDS)[0]) geoms[i].label = text;
  return { version: view.getUint32(4, true), geoms };
}

const LIGHT_WORDS = 26;

function lights(buffer, at, length) {
  const ints = new Int32Array(buffer, at, length / 4);
  const f = new Float32Array(buffer, at, length / 4);
  const list = [];
  for (let k = 0; k + LIGHT_WORDS <= f.length; k += LIGHT_WORDS) {
    const three = (j) => [f[k + j], f[k + j + 1], f[k + j + 2]];
    list.push({
      id: ints[k], type: ints[k + 1], head: !!(ints[k + 2] & 1), shadow: !!(ints[k + 2] & 2),
      pos: three(3), dir: three(6), ambient: three(9), diffuse: three(12), specular: three(15),
      attenuation: three(18), cutoff: f[k + 21], exponent: f[k + 22],
    });
  }
  return list;
}

// poses of everything, and the numbers to plot
export function frame(buffer) {
  const view = new DataView(buffer);
  const f = {
    number: view.getUint32(4, true), time: view.getFloat64(8, true),
    style: view.getUint32(16, true),
    poses: new Float32Array(0), lights: [], surfaces: [], tubes: [], balls: [], numbers: [],
  };
  let at = 24;
  while (at + 12 <= buffer.byteLength) {
    const [tag, about, length] = [0, 4, 8].map((k) => view.getUint32(at + k, true));
    const start = at + 12;
    at = start + length;
    if (tag === POSES) f.poses = new Float32Array(buffer, start, length / 4);
    else if (tag === LIGHTS) f.lights = lights(buffer, start, length);
    else if (tag === NUMBERS) f.numbers[about] = new Float32Array(buffer, start, length / 4);
    else if (tag === TUBES || tag === BALLS) {
      const list = tag === TUBES ? f.tubes : f.balls;
      const points = new Float32Array(buffer, start + 4, length / 4 - 1);
      list.push({ geom: about, radius: view.getFloat32(start, true), points });
    } else if (tag === SURFACE) {
      const n = view.getUint32(start, true), has = view.getUint32(start + 4, true);
      const pos = new Float32Array(buffer, start + 8, 3 * n);
      const normal = new Int8Array(buffer, start + 8 + 12 * n, 4 * n);
      const uv = has ? new Float32Array(buffer, start + 8 + 16 * n, 2 * n) : null;
      f.surfaces.push({ geom: about, n, pos, normal, uv });
    }
  }
  return f;
}
