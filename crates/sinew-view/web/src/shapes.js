// Unit shapes, along z as MuJoCo has them, and surfaces of the model.
import * as THREE from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';

export const PLANE = 0, HFIELD = 1, SPHERE = 2, CAPSULE = 3, ELLIPSOID = 4, CYLINDER = 5, BOX = 6,
  MESH = 7, SDF = 8, ARROW = 100, ARROW1 = 101, ARROW2 = 102, LINE = 103, LINEBOX = 104, FLEX = 105,
  SKIN = 106, LABEL = 107, TRIANGLE = 108;

const along_z = (geometry) => geometry.rotateX(Math.PI / 2);
const between = (from, to, bottom, top, closed = true) => {
  const g = along_z(new THREE.CylinderGeometry(top, bottom, to - from, 28, 1, !closed));
  return g.translate(0, 0, (from + to) / 2);
};
const arrow = (head) => mergeGeometries([between(0, 1 / 3, 1, 1), between(1 / 3, 1 / 2, head, 0)]);

const UNIT = {
  [SPHERE]: () => along_z(new THREE.SphereGeometry(1, 40, 24)),
  [ELLIPSOID]: () => along_z(new THREE.SphereGeometry(1, 40, 24)),
  [CYLINDER]: () => between(-1, 1, 1, 1),
  [BOX]: () => new THREE.BoxGeometry(2, 2, 2),
  [PLANE]: () => new THREE.PlaneGeometry(2, 2),
  [ARROW]: () => arrow(1.75),
  [ARROW1]: () => arrow(1),
  [ARROW2]: () => mergeGeometries([
    between(-1 / 3, 1 / 3, 1, 1), between(1 / 3, 1 / 2, 1.75, 0), between(-1 / 2, -1 / 3, 0, 1.75),
  ]),
  [TRIANGLE]: () => {
    const g = new THREE.BufferGeometry();
    g.setAttribute('position', new THREE.Float32BufferAttribute([0, 0, 0, 1, 0, 0, 0, 1, 0], 3));
    g.setAttribute('normal', new THREE.Float32BufferAttribute([0, 0, 1, 0, 0, 1, 0, 0, 1], 3));
    return g;
  },
  [LINE]: () => {
    const g = new THREE.BufferGeometry();
    g.setAttribute('position', new THREE.Float32BufferAttribute([0, 0, 0, 0, 0, 1], 3));
    return g;
  },
  [LINEBOX]: () => new THREE.EdgesGeometry(new THREE.BoxGeometry(2, 2, 2)),
};
const made = {};

export function unit(type) {
  if (!(type in UNIT)) return null;
  made[type] ??= UNIT[type]();
  return made[type];
}

// a capsule has no unit shape: its caps keep their form whatever its length
const SEGMENTS = 28, RINGS = 9;
let pattern = null;

function capsule_pattern() {
  const unit_points = [], index = [];
  for (let half = 0; half < 2; half++) {
    for (let i = 0; i < RINGS; i++) {
      const angle = (Math.PI / 2) * (half ? i / (RINGS - 1) : i / (RINGS - 1) - 1);
      for (let j = 0; j <= SEGMENTS; j++) {
        const turn = (2 * Math.PI * j) / SEGMENTS;
        unit_points.push([Math.cos(angle) * Math.cos(turn), Math.cos(angle) * Math.sin(turn), Math.sin(angle), half ? 1 : -1]);
      }
    }
  }
  const row = SEGMENTS + 1;
  for (let i = 0; i + 1 < 2 * RINGS; i++) {
    for (let j = 0; j < SEGMENTS; j++) {
      const a = i * row + j;
      index.push(a, a + 1, a + row, a + 1, a + row + 1, a + row);
    }
  }
  return { unit_points, index };
}

export function capsule() {
  pattern ??= capsule_pattern();
  const g = new THREE.BufferGeometry();
  const normals = pattern.unit_points.flatMap(([x, y, z]) => [x, y, z]);
  g.setAttribute('position', new THREE.Float32BufferAttribute(new Float32Array(normals.length), 3));
  g.setAttribute('normal', new THREE.Float32BufferAttribute(normals, 3));
  g.setIndex(pattern.index);
  return g;
}

// size: radius, radius, half length with the caps
export function size_capsule(geometry, [x, y, z]) {
  const position = geometry.getAttribute('position');
  const radius = (x + y) / 2, straight = z - radius;
  pattern.unit_points.forEach(([a, b, c, side], i) => {
    position.setXYZ(i, a * x, b * y, c * radius + side * straight);
  });
  position.needsUpdate = true;
  geometry.computeBoundingSphere();
}

export function surface({ n, pos, normal, uv }) {
  const g = new THREE.BufferGeometry();
  g.setAttribute('position', new THREE.BufferAttribute(pos, 3));
  g.setAttribute('normal', packed(normal, n));
  if (uv) g.setAttribute('uv', new THREE.BufferAttribute(uv, 2));
  return g;
}

// normals come as four bytes, the last of which is empty
export function packed(normal, n) {
  const three = new Int8Array(4 * n);
  three.set(normal);
  const buffer = new THREE.InterleavedBuffer(three, 4);
  return new THREE.InterleavedBufferAttribute(buffer, 3, 0, true);
}
