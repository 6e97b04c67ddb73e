// The scene that three.js draws, kept equal to the last draw list.
import * as THREE from 'three';
import * as S from './shapes.js';
import { Materials } from './materials.js';
import { Lights } from './lights.js';
import { Mirror } from './mirror.js';

THREE.ColorManagement.enabled = false;

const POSE = 10;
const DECOR = 4;

export class Drawing {
  constructor(canvas) {
    const slow = is_software();
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !slow, preserveDrawingBuffer: true });
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = slow ? THREE.PCFShadowMap : THREE.PCFSoftShadowMap;
    this.scene = new THREE.Scene();
    this.lights = new Lights(this.scene, slow ? 1024 : 4096);
    this.mirror = new Mirror(slow ? 0 : 4);
    this.labels = new Labels(this.scene);
    this.show = { shadow: true, reflection: true, skybox: true, fog: false, haze: true, wireframe: false, extra: true };
    this.backdrop = backdrop();
    this.model = null;
    this.slots = [];
    this.style = null;
  }

  set_model(model) {
    for (const slot of this.slots) this.remove(slot);
    this.slots = [];
    this.style = null;
    this.materials?.dispose();
    this.surfaces?.forEach((g) => g.dispose());
    this.model = model;
    this.materials = new Materials(model);
    this.surfaces = new Map();
    const sky = model.textures.findIndex((t) => t.kind === 'skybox');
    this.sky?.dispose();
    this.sky = sky >= 0 && this.materials.textures[sky] ? skybox(this.materials.textures[sky]) : null;
    this.endless = Math.min(model.visual.zfar, 40) * model.extent * 0.8;
    this.lights.set_model(model);
  }

  set_style(style) {
    this.style = style;
    const { geoms } = style;
    while (this.slots.length > geoms.length) this.remove(this.slots.pop());
    geoms.forEach((geom, i) => {
      const slot = this.slots[i];
      const same = slot && slot.geom.type === geom.type && slot.geom.dataid === geom.dataid && slot.geom.objid === geom.objid;
      if (!same) {
        if (slot) this.remove(slot);
        this.slots[i] = { geom, size: [NaN, NaN, NaN], object: null, material: null };
      } else {
        slot.geom = geom;
        slot.material = null;
      }
    });
  }

  remove(slot) {
    if (!slot.object) return;
    this.scene.remove(slot.object);
    if (slot.owned) slot.owned.dispose();
    if (slot.object.isInstancedMesh) slot.object.dispose();
  }

  // geometry of a model: meshes, hulls, height fields
  surface(kind, id, of) {
    const key = `${kind}${id}`;
    if (!this.surfaces.has(key)) this.surfaces.set(key, of ? S.surface(of) : new THREE.BufferGeometry());
    return this.surfaces.get(key);
  }

  geometry(slot) {
    const { type, dataid } = slot.geom;
    if (type === S.MESH || type === S.SDF) {
      const mesh = this.model.meshes[dataid >> 1];
      return mesh && this.surface('mesh', dataid, dataid & 1 ? mesh.hull : mesh.surface);
    }
    if (type === S.HFIELD) return this.surface('hfield', dataid, this.model.hfields[dataid]);
    if (type === S.CAPSULE) return (slot.owned = S.capsule());
    if (type === S.FLEX || type === S.SKIN) return (slot.owned = new THREE.BufferGeometry());
    return S.unit(type);
  }

  make(slot) {
    const geometry = this.geometry(slot);
    if (!geometry) return;
    const { type, category } = slot.geom;
    const lines = type === S.LINE || type === S.LINEBOX;
    slot.object = lines ? new THREE.LineSegments(geometry) : new THREE.Mesh(geometry);
    slot.object.matrixAutoUpdate = false;
    slot.object.castShadow = !lines && category !== DECOR && type !== S.PLANE;
    slot.object.receiveShadow = !lines && category !== DECOR;
    slot.object.frustumCulled = type !== S.FLEX && type !== S.SKIN && type !== S.CAPSULE && type !== S.PLANE;
    this.scene.add(slot.object);
  }

  set_frame(frame) {
    if (!this.style || frame.style !== this.style.version) return false;
    this.frame = frame;
    this.slots.forEach((slot, i) => this.place(slot, frame.poses, i * POSE));
    this.lights.set_frame(frame.lights);
    for (const s of frame.surfaces) this.set_surface(this.slots[s.geom], s);
    this.set_parts(frame);
    this.labels.set(this.slots.map((slot) => [slot.geom.label, slot.position]));
    return true;
  }

  place(slot, poses, k) {
    if (!slot.object) this.make(slot);
    slot.position = [poses[k], poses[k + 1], poses[k + 2]];
    const { object, geom } = slot;
    if (!object) return;
    const size = [poses[k + 7], poses[k + 8], poses[k + 9]];
    const resized = size.some((x, j) => x !== slot.size[j]);
    slot.size = size;
    const plane = geom.type === S.PLANE;
    slot.endless = plane && (size[0] <= 0 || size[1] <= 0) ? this.endless : 0;
    if (!slot.material || (resized && geom.matid >= 0)) {
      slot.material = this.materials.get(geom, size, slot.endless);
      object.material = slot.material;
      object.renderOrder = slot.endless ? -1 : 0;
    }
    if (geom.type === S.CAPSULE && resized) S.size_capsule(slot.owned, size);
    object.position.set(...slot.position);
    object.quaternion.set(poses[k + 3], poses[k + 4], poses[k + 5], poses[k + 6]);
    scale(object.scale, geom.type, size, slot.endless);
    if (geom.type === S.FLEX || geom.type === S.SKIN) {
      object.position.set(0, 0, 0);
      object.quaternion.identity();
    }
    object.visible = this.show.extra || !geom.extra;
    object.updateMatrix();
  }

  set_surface(slot, { n, pos, normal, uv }) {
    const g = slot?.owned;
    if (!g) return;
    const skin = slot.geom.type === S.SKIN ? this.model.skins[slot.geom.objid] : null;
    const position = g.getAttribute('position');
    if (position && position.count === n) {
      position.array.set(pos);
      position.needsUpdate = true;
      const bytes = g.getAttribute('normal').data;
      bytes.array.set(normal);
      bytes.needsUpdate = true;
    } else {
      g.setAttribute('position', new THREE.BufferAttribute(pos.slice(), 3).setUsage(THREE.DynamicDrawUsage));
      g.setAttribute('normal', S.packed(normal, n));
      if (skin) g.setIndex(new THREE.BufferAttribute(skin.index, 1));
    }
    const texcoord = skin ? skin.texcoord : uv;
    if (texcoord) g.setAttribute('uv', new THREE.BufferAttribute(texcoord.slice(), 2));
    g.setDrawRange(0, Infinity);
  }

  // edges and vertices of flexes
  set_parts(frame) {
    const seen = new Set();
    const put = (kind, part, count, place) => {
      const slot = this.slots[part.geom];
      if (!slot) return;
      seen.add(slot);
      slot.parts ??= {};
      let mesh = slot.parts[kind];
      if (!mesh || mesh.count !== count) {
        if (mesh) this.scene.remove(mesh);
        const unit = S.unit(kind === 'tubes' ? S.CYLINDER : S.SPHERE);
        mesh = slot.parts[kind] = new THREE.InstancedMesh(unit, slot.object.material, count);
        mesh.castShadow = mesh.receiveShadow = true;
        mesh.frustumCulled = false;
        this.scene.add(mesh);
      }
      mesh.material = slot.object.material;
      for (let i = 0; i < count; i++) mesh.setMatrixAt(i, place(i));
      mesh.instanceMatrix.needsUpdate = true;
    };
    const m = new THREE.Matrix4(), q = new THREE.Quaternion(), z = new THREE.Vector3(0, 0, 1);
    const a = new THREE.Vector3(), b = new THREE.Vector3(), s = new THREE.Vector3();
    for (const part of frame.tubes) {
      put('tubes', part, part.points.length / 6, (i) => {
        a.fromArray(part.points, 6 * i);
        b.fromArray(part.points, 6 * i + 3);
        const length = a.distanceTo(b);
        q.setFromUnitVectors(z, s.copy(b).sub(a).normalize());
        return m.compose(a.add(b).multiplyScalar(0.5), q, s.set(part.radius, part.radius, length / 2));
      });
    }
    for (const part of frame.balls) {
      put('balls', part, part.points.length / 3, (i) => {
        a.fromArray(part.points, 3 * i);
        return m.compose(a, q.identity(), s.setScalar(part.radius));
      });
    }
    for (const slot of this.slots) {
      if (!slot.parts || seen.has(slot)) continue;
      for (const mesh of Object.values(slot.parts)) this.scene.remove(mesh);
      slot.parts = null;
    }
    for (const slot of this.slots) {
      if (slot.geom.type === S.FLEX && slot.object) {
        slot.object.visible = frame.surfaces.some((f) => this.slots[f.geom] === slot);
      }
    }
  }

  resize(width, height, ratio) {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
  }

  render(camera) {
    const { show, scene, renderer, model } = this;
    const sky = show.skybox && this.sky;
    scene.background = sky ? null : this.backdrop;
    this.materials.wireframe !== show.wireframe && this.restyle();
    if (renderer.shadowMap.enabled !== show.shadow) {
      renderer.shadowMap.enabled = show.shadow;
      this.lights.cast(show.shadow);
    }
    const fog = model.visual;
    scene.fog = show.fog ? new THREE.Fog(new THREE.Color(...fog.fogColor.slice(0, 3)), fog.fogstart * model.extent, fog.fogend * model.extent) : null;
    this.lights.follow(camera);
    for (const slot of this.slots) if (slot.endless) this.recenter(slot, camera);
    if (sky) {
      if (sky.parent !== scene) scene.add(sky);
      sky.position.copy(camera.position);
      sky.scale.setScalar(camera.far * 0.6);
      sky.updateMatrixWorld();
    } else if (this.sky) scene.remove(this.sky);
    this.labels.face(camera);
    const mirror = show.reflection && this.slots.find((s) => s.geom.type === S.PLANE && s.geom.reflectance > 0 && s.object?.visible && s.material);
    for (const slot of this.slots) {
      const uniforms = slot.material?.userData.uniforms;
      if (uniforms) uniforms.mirrored.value = 0;
    }
    if (mirror) this.mirror.render(renderer, scene, camera, mirror, this.labels.group);
    renderer.render(scene, camera);
  }

  restyle() {
    this.materials.wireframe = this.show.wireframe;
    for (const slot of this.slots) slot.material = null;
    if (this.frame) this.set_frame(this.frame);
  }

  // an endless plane follows the camera in steps of its texture
  recenter(slot, camera) {
    const { object, geom } = slot;
    const repeat = this.model.materials[geom.matid]?.repeat ?? [0, 0];
    const origin = new THREE.Vector3(...slot.position);
    const to = camera.position.clone().sub(origin);
    for (let k = 0; k < 2; k++) {
      if (slot.size[k] > 0) continue;
      const step = repeat[k] > 0 ? 2 / repeat[k] : 1;
      const axis = new THREE.Vector3().setComponent(k, 1).applyQuaternion(object.quaternion);
      origin.addScaledVector(axis, 2 * step * Math.round(to.dot(axis) / (2 * step)));
    }
    object.position.copy(origin);
    object.updateMatrix();
  }

  // the nearest point of a geom under a place of the view, whose coordinates are from -1 to 1
  pick(camera, x, y) {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(x, y), camera);
    const solid = this.slots.filter((s) => s.object?.isMesh && s.object.visible && s.geom.category !== DECOR);
    solid.forEach((s) => s.object.updateMatrixWorld());
    return ray.intersectObjects(solid.map((s) => s.object), false)[0]?.point.toArray();
  }
}

// whether the browser draws without a graphics card; shadows are coarse then, and planes reflect nothing
function is_software() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

function scale(to, type, [x, y, z], endless) {
  switch (type) {
    case S.PLANE: return to.set(x > 0 ? x : endless, y > 0 ? y : endless, 1);
    case S.CAPSULE: case S.MESH: case S.SDF: case S.HFIELD: case S.FLEX: case S.SKIN: return to.set(1, 1, 1);
    case S.LINE: return to.set(1, 1, z);
    case S.TRIANGLE: return to.set(x, y, 1);
    default: return to.set(x || 1e-9, y || 1e-9, z || 1e-9);
  }
}

// the model's sky on a cube around the eye
function skybox(map) {
  const material = new THREE.ShaderMaterial({
    uniforms: { map: { value: map } },
    vertexShader: 'varying vec3 dir; void main() { dir = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
    fragmentShader: 'uniform samplerCube map; varying vec3 dir; void main() { gl_FragColor = vec4(textureCube(map, vec3(dir.x, dir.z, -dir.y)).rgb, 1.0); }',
    side: THREE.BackSide, depthWrite: false, depthTest: false,
  });
  const mesh = new THREE.Mesh(new THREE.SphereGeometry(1, 48, 32), material);
  mesh.renderOrder = -10;
  mesh.frustumCulled = false;
  mesh.dispose = () => { mesh.geometry.dispose(); material.dispose(); };
  return mesh;
}

function backdrop() {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [4, 256];
  const context = canvas.getContext('2d');
  const gradient = context.createLinearGradient(0, 0, 0, 256);
  for (const [at, color] of [[0, '#3d4a5a'], [0.55, '#1f2731'], [1, '#12171d']]) gradient.addColorStop(at, color);
  context.fillStyle = gradient;
  context.fillRect(0, 0, 4, 256);
  return new THREE.CanvasTexture(canvas);
}

// texts beside geoms, always the same size on the screen
class Labels {
  constructor(scene) {
    this.group = new THREE.Group();
    scene.add(this.group);
    this.cache = new Map();
  }

  set(labels) {
    const wanted = labels.filter(([text]) => text);
    while (this.group.children.length > wanted.length) this.group.remove(this.group.children.at(-1));
    wanted.forEach(([text, position], i) => {
      let sprite = this.group.children[i];
      if (!sprite) this.group.add((sprite = new THREE.Sprite()));
      if (sprite.userData.text !== text) {
        sprite.material = this.material(text);
        sprite.userData.text = text;
        sprite.userData.aspect = sprite.material.map.image.width / sprite.material.map.image.height;
      }
      sprite.position.set(...position);
    });
  }

  material(text) {
    if (this.cache.size > 2000) this.cache.clear();
    if (!this.cache.has(text)) {
      const canvas = document.createElement('canvas');
      const context = canvas.getContext('2d');
      const font = '600 28px system-ui, sans-serif';
      context.font = font;
      canvas.width = Math.ceil(context.measureText(text).width) + 16;
      canvas.height = 40;
      context.font = font;
      context.lineWidth = 5;
      context.strokeStyle = 'rgba(10, 14, 18, 0.85)';
      context.fillStyle = '#fff';
      context.strokeText(text, 8, 29);
      context.fillText(text, 8, 29);
      const map = new THREE.CanvasTexture(canvas);
      this.cache.set(text, new THREE.SpriteMaterial({ map, depthTest: false, sizeAttenuation: false }));
    }
    return this.cache.get(text);
  }

  face(camera) {
    const size = camera.isOrthographicCamera ? 0.05 * (camera.top - camera.bottom) : 0.024;
    for (const sprite of this.group.children) sprite.scale.set(size * sprite.userData.aspect, size, 1);
  }
}
