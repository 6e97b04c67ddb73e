// Materials: the light of OpenGL's fixed pipeline, as MuJoCo draws, and MuJoCo's texture coordinates.
import * as THREE from 'three';
import { PLANE, MESH, SDF, LINE, LINEBOX, FLEX, SKIN, HFIELD, CAPSULE } from './shapes.js';

const linear = new Uint8Array(256).map((_, i) => {
  const c = i / 255;
  return Math.round(255 * (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
});

function rgba(t, first, count) {
  const out = new Uint8Array(4 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      const byte = t.data[(first + i) * t.channels + Math.min(k, t.channels - 1)];
      out[4 * i + k] = t.srgb ? linear[byte] : byte;
    }
    out[4 * i + 3] = t.channels === 4 ? t.data[(first + i) * 4 + 3] : 255;
  }
  return out;
}

function filter(texture) {
  texture.generateMipmaps = true;
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  texture.magFilter = THREE.LinearFilter;
  texture.anisotropy = 8;
  texture.needsUpdate = true;
  return texture;
}

export function texture(t) {
  if (!t.complete) return null;
  if (t.kind === '2d') {
    const flat = new THREE.DataTexture(rgba(t, 0, t.width * t.height), t.width, t.height);
    flat.wrapS = flat.wrapT = THREE.RepeatWrapping;
    return filter(flat);
  }
  const side = t.width * t.width;
  const images = [0, 1, 2, 3, 4, 5].map((i) => {
    const first = t.width === t.height ? 0 : i * side;
    return new THREE.DataTexture(rgba(t, first, side), t.width, t.width);
  });
  for (const image of images) image.needsUpdate = true;
  return filter(new THREE.CubeTexture(images));
}

// MuJoCo adds light in the screen's colour space; three.js divides by π, and highlights by more
function highlight(geom) {
  const power = Math.max(geom.shininess * 128, 0.001);
  return [(geom.specular * 0.45) / (0.25 * (power / 2 + 1)), power];
}

export class Materials {
  constructor(model) {
    this.model = model;
    this.textures = model.textures.map((t) => texture(t));
    this.cache = new Map();
    this.wireframe = false;
    this.textured = true;
  }

  dispose() {
    for (const t of this.textures) t?.dispose();
    for (const m of this.cache.values()) m.dispose();
    this.cache.clear();
  }

  // the texture of a geom, and the map from vertices to its coordinates; vertices are those of a
  // unit shape, except for capsules and surfaces
  paint(geom, size, endless) {
    const material = this.model.materials[geom.matid];
    if (!this.textured || !material || material.texture === null) return null;
    const map = this.textures[material.texture];
    if (!map) return null;
    const cube = map.isCubeTexture;
    if (geom.texcoord) return cube ? null : { map, mode: 'given', scale: [1, 1, 1] };
    if (geom.type === FLEX || geom.type === SKIN) return null;
    const unit = (k) => (geom.type === CAPSULE ? 1 / (size[k] || 1) : 1);
    if (cube) {
      const scale = material.uniform ? size : [1, 1, 1];
      return { map, mode: 'cube', scale: [0, 1, 2].map((k) => scale[k] * unit(k)) };
    }
    const along = (k) => {
      let scale = material.repeat[k];
      if (geom.dataid >= 0 && size[k] > 0) scale /= size[k];
      if (material.uniform && size[k] > 0) scale *= size[k];
      if (geom.type === PLANE) scale *= size[k] > 0 ? size[k] : endless;
      return scale * unit(k);
    };
    return { map, mode: 'flat', scale: [along(0), along(1), 1] };
  }

  get(geom, size, endless) {
    const paint = this.paint(geom, size, endless);
    const lines = geom.type === LINE || geom.type === LINEBOX;
    const key = JSON.stringify([
      lines, endless, geom.rgba, geom.emission, geom.specular, geom.shininess, geom.type === PLANE && geom.reflectance,
      geom.type === PLANE, geom.type >= FLEX, this.wireframe,
      paint && [paint.map.id, paint.mode, paint.scale],
    ]);
    let material = this.cache.get(key);
    if (!material) {
      if (this.cache.size > 4000) {
        for (const m of this.cache.values()) m.dispose();
        this.cache.clear();
      }
      material = lines ? this.line(geom) : this.surface(geom, paint, endless);
      this.cache.set(key, material);
    }
    return material;
  }

  line(geom) {
    const [r, g, b, a] = geom.rgba;
    return new THREE.LineBasicMaterial({ color: new THREE.Color(r, g, b), transparent: a < 1, opacity: a });
  }

  surface(geom, paint, endless) {
    const [r, g, b, a] = geom.rgba;
    const [specular, shininess] = highlight(geom);
    const color = new THREE.Color(r, g, b);
    const material = new THREE.MeshPhongMaterial({
      color, shininess,
      specular: new THREE.Color(specular, specular, specular),
      emissive: color.clone().multiplyScalar(geom.emission),
      transparent: a < 1 || endless, opacity: a, depthWrite: a >= 1 || endless,
      wireframe: this.wireframe,
      side: geom.type === PLANE || geom.type >= FLEX || geom.type === MESH || geom.type === SDF ? THREE.DoubleSide : THREE.FrontSide,
    });
    material.shadowSide = geom.type === HFIELD || geom.type >= FLEX ? THREE.DoubleSide : null;
    const uniforms = {
      endless: { value: endless || 0 }, mirror: { value: null }, mirrored: { value: 0 },
      mirrorMatrix: { value: new THREE.Matrix4() },
    };
    material.userData.uniforms = uniforms;
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, uniforms);
      if (paint) {
        shader.uniforms.paint = { value: paint.map };
        shader.uniforms.paintScale = { value: new THREE.Vector3(...paint.scale) };
      }
      patch(shader, paint, endless, geom.type === PLANE);
    };
    material.customProgramCacheKey = () => `${paint?.mode}/${!!endless}/${geom.type === PLANE}`;
    return material;
  }
}

const COORDINATES = {
  given: 'vPaint = vec3(uv, 0.0);',
  flat: 'vPaint = vec3(0.5 * paintScale.x * position.x - 0.5, -0.5 * paintScale.y * position.y - 0.5, 0.0);',
  cube: 'vPaint = paintScale * position;',
};
const SAMPLE = {
  given: 'diffuseColor *= texture2D(paint, vPaint.xy);',
  flat: 'diffuseColor *= texture2D(paint, vPaint.xy);',
  cube: 'diffuseColor *= textureCube(paint, vPaint);',
};

function patch(shader, paint, endless, plane) {
  let vertex = '', vertex_head = '', fragment = '', fragment_head = '', last = '';
  if (paint) {
    vertex_head += 'varying vec3 vPaint;\nuniform vec3 paintScale;\n';
    vertex += COORDINATES[paint.mode];
    const sampler = paint.mode === 'cube' ? 'samplerCube' : 'sampler2D';
    fragment_head += `varying vec3 vPaint;\nuniform ${sampler} paint;\n`;
    fragment += SAMPLE[paint.mode];
  }
  if (plane) {
    // a plane is transparent from behind
    fragment += 'if (!gl_FrontFacing) diffuseColor.a *= 0.3;\n';
    fragment_head += 'uniform sampler2D mirror;\nuniform float mirrored;\nuniform float endless;\n';
    vertex_head += 'varying vec4 vScreen;\nuniform mat4 mirrorMatrix;\n';
    fragment_head += 'varying vec4 vScreen;\n';
    last += `if (mirrored > 0.0 && gl_FrontFacing) {
      vec3 seen = texture2D(mirror, 0.5 * vScreen.xy / vScreen.w + 0.5).rgb;
      gl_FragColor.rgb = mix(gl_FragColor.rgb, seen, mirrored);
    }\n`;
  }
  // an endless plane fades into the horizon
  if (endless) last += 'gl_FragColor.a *= 1.0 - smoothstep(0.35, 1.0, length(vViewPosition) / endless);\n';
  shader.vertexShader = vertex_head + shader.vertexShader
    .replace('#include <begin_vertex>', `#include <begin_vertex>\n${vertex}`)
    .replace('#include <fog_vertex>', `#include <fog_vertex>\n${plane ? 'vScreen = mirrorMatrix * modelMatrix * vec4(position, 1.0);' : ''}`);
  shader.fragmentShader = fragment_head + shader.fragmentShader
    .replace('#include <map_fragment>', `#include <map_fragment>\n${fragment}`)
    .replace('#include <dithering_fragment>', `#include <dithering_fragment>\n${last}`);
}
