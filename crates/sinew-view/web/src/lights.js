// Lights of a draw list. Numbers are those of OpenGL's fixed pipeline: three.js divides by π.
import * as THREE from 'three';

const SPOT = 0, DIRECTIONAL = 1;
const MOST = 8, SHADOWS = 4;

export class Lights {
  constructor(scene, finest) {
    this.scene = scene;
    this.finest = finest;
    this.ambient = new THREE.AmbientLight(0xffffff, Math.PI);
    this.head = new THREE.DirectionalLight(0xffffff, Math.PI);
    scene.add(this.ambient, this.head, this.head.target);
    this.lamps = [];
    this.shadows = true;
  }

  set_model(model) {
    this.model = model;
    for (const lamp of this.lamps) this.scene.remove(lamp, lamp.target);
    this.lamps = [];
  }

  cast(on) {
    this.shadows = on;
    for (const lamp of this.lamps) lamp.castShadow = on && lamp.userData.shadow;
  }

  set_frame(lights) {
    const shown = lights.slice(0, MOST);
    const sum = shown.reduce((s, l) => s.map((x, k) => x + l.ambient[k]), [0, 0, 0]);
    // MuJoCo lights a scene without lights a little
    this.ambient.color.setRGB(...(shown.length ? sum : [0.3, 0.3, 0.3]));
    const head = shown.find((l) => l.head);
    this.head.visible = !!head;
    if (head) this.head.color.setRGB(...head.diffuse);

    const others = shown.filter((l) => !l.head && (l.type === SPOT || l.type === DIRECTIONAL));
    const kinds = others.map((l) => `${l.id}/${l.type}/${l.shadow}`).join();
    if (kinds !== this.kinds || this.lamps.length !== others.length) {
      for (const lamp of this.lamps) { this.scene.remove(lamp, lamp.target); lamp.dispose(); }
      let casting = 0;
      this.lamps = others.map((light) => this.make(light, light.shadow && casting++ < SHADOWS));
      this.kinds = kinds;
    }
    others.forEach((light, i) => this.place(this.lamps[i], light));
  }

  make(light, shadow) {
    const spot = light.type === SPOT;
    const lamp = spot ? new THREE.SpotLight(0xffffff, Math.PI) : new THREE.DirectionalLight(0xffffff, Math.PI);
    const { extent, visual } = this.model;
    if (spot) lamp.decay = 0;
    lamp.userData.shadow = shadow;
    lamp.castShadow = shadow && this.shadows;
    lamp.shadow.mapSize.setScalar(Math.min(Math.max(visual.shadowsize, 256), this.finest));
    lamp.shadow.bias = -0.0005;
    lamp.shadow.normalBias = 0.004 * extent;
    lamp.shadow.radius = 2.5;
    if (!spot) {
      const half = extent * Math.max(visual.shadowclip, 1);
      Object.assign(lamp.shadow.camera, { left: -half, right: half, top: half, bottom: -half });
    }
    this.scene.add(lamp, lamp.target);
    return lamp;
  }

  place(lamp, light) {
    const { extent, center } = this.model;
    const dir = new THREE.Vector3(...light.dir).normalize();
    const pos = new THREE.Vector3(...light.pos);
    let strength = 1;
    if (lamp.isSpotLight) {
      const far = pos.distanceTo(new THREE.Vector3(...center));
      const [a, b, c] = light.attenuation;
      strength = 1 / Math.max(a + b * far + c * far * far, 1e-10);
      lamp.angle = (Math.min(light.cutoff, 89.9) * Math.PI) / 180;
      // the exponent narrows the cone; three.js has a soft edge in its place
      lamp.penumbra = Math.min(1, 0.15 + light.exponent / 20);
      lamp.shadow.camera.near = 0.02 * extent;
      lamp.shadow.camera.far = far + 8 * extent;
    } else {
      // the middle of the view of the light's shadows is beside its own position
      const along = new THREE.Vector3(...center).sub(pos);
      pos.add(along.projectOnPlane(dir)).addScaledVector(dir, -2 * extent);
      lamp.shadow.camera.near = 0;
      lamp.shadow.camera.far = 12 * extent + new THREE.Vector3(...light.pos).distanceTo(new THREE.Vector3(...center));
    }
    lamp.color.setRGB(...light.diffuse.map((x) => x * strength));
    lamp.position.copy(pos);
    lamp.target.position.copy(pos).add(dir);
    lamp.target.updateMatrixWorld();
    lamp.shadow.camera.updateProjectionMatrix();
  }

  follow(camera) {
    const ahead = new THREE.Vector3(0, 0, -1).applyQuaternion(camera.quaternion);
    this.head.position.copy(camera.position);
    this.head.target.position.copy(camera.position).add(ahead);
    this.head.target.updateMatrixWorld();
  }
}
