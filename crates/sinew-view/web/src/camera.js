// The camera of the page, in MuJoCo's terms: a point, a distance and two angles.
import * as THREE from 'three';

export const FREE = 0, TRACKING = 1, FIXED = 2;
const RAD = Math.PI / 180;

export class View {
  constructor() {
    this.camera = new THREE.PerspectiveCamera(45, 1, 0.01, 100);
    this.ortho = new THREE.OrthographicCamera(-1, 1, 1, -1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.ortho.up.set(0, 0, 1);
    this.is = { type: FREE, fixedcamid: -1, trackbodyid: -1, orthographic: 0, lookat: [0, 0, 0], distance: 2, azimuth: 90, elevation: -45 };
    this.model = null;
    this.poses = null;
    this.aspect = 1;
    this.version = 0;
  }

  set_model(model) {
    this.model = model;
    this.poses = null;
  }

  // follows a camera that the program asks for
  adopt(camera) {
    if (camera.version === this.version) return;
    this.version = camera.version;
    for (const key of Object.keys(this.is)) this.is[key] = camera[key];
  }

  free() {
    if (this.is.type === FREE) return;
    this.is.type = FREE;
  }

  forward() {
    const { azimuth, elevation } = this.is;
    const [a, e] = [azimuth * RAD, elevation * RAD];
    return [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
  }

  rotate(dx, dy) {
    this.leave_fixed();
    this.is.azimuth -= dx * 180;
    this.is.elevation = Math.min(89, Math.max(-89, this.is.elevation - dy * 180));
    if (this.is.azimuth > 180) this.is.azimuth -= 360;
    if (this.is.azimuth < -180) this.is.azimuth += 360;
  }

  zoom(amount) {
    this.leave_fixed();
    const { extent } = this.model;
    this.is.distance = Math.min(100 * extent, Math.max(0.01 * extent, this.is.distance * Math.exp(amount)));
  }

  // moves the centre of the view with the mouse, in the plane of the screen or level with the ground
  pan(dx, dy, level) {
    this.leave_fixed();
    if (this.is.type === TRACKING) this.is.type = FREE;
    const height = 2 * Math.tan((this.model.visual.fovy * RAD) / 2) * this.is.distance;
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    if (level) {
      const [fx, fy] = this.forward();
      up.set(fx, fy, 0).normalize();
    }
    for (let k = 0; k < 3; k++) {
      this.is.lookat[k] += (-dx * right.getComponent(k) + dy * up.getComponent(k)) * height;
    }
  }

  // a turn leaves a camera of the model: the free camera continues from its pose
  leave_fixed() {
    if (this.is.type !== FIXED) return;
    const position = this.camera.position.clone();
    const ahead = new THREE.Vector3(0, 0, -1).applyQuaternion(this.camera.quaternion);
    this.is.type = FREE;
    this.is.elevation = Math.asin(Math.min(1, Math.max(-1, ahead.z))) / RAD;
    this.is.azimuth = Math.atan2(ahead.y, ahead.x) / RAD;
    this.is.lookat = position.addScaledVector(ahead, this.is.distance).toArray();
  }

  // the camera to render with
  update() {
    const { model, is } = this;
    const far = model.visual.zfar * model.extent;
    const near = model.visual.znear * model.extent;
    const fixed = is.type === FIXED && this.poses && model.cameras[is.fixedcamid];
    const orthographic = fixed ? fixed.orthographic : model.visual.orthographic;
    const camera = orthographic ? this.ortho : this.camera;
    camera.near = near;
    camera.far = far;
    if (fixed) {
      const k = 7 * is.fixedcamid;
      camera.position.fromArray(this.poses, k);
      camera.quaternion.fromArray(this.poses, k + 3);
      const half = ((fixed.above + fixed.below) / 2) * this.aspect;
      const [left, right] = [fixed.aside - half, fixed.aside + half];
      if (orthographic) this.box(camera, fixed.above);
      else {
        const s = near / fixed.near;
        camera.projectionMatrix.makePerspective(left * s, right * s, fixed.above * s, -fixed.below * s, near, far);
        camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
      }
    } else {
      const f = this.forward();
      camera.position.set(...is.lookat.map((x, k) => x - is.distance * f[k]));
      camera.lookAt(...is.lookat);
      if (orthographic) this.box(camera, model.visual.fovy / 2);
      else {
        camera.fov = model.visual.fovy;
        camera.aspect = this.aspect;
        camera.updateProjectionMatrix();
      }
    }
    camera.updateMatrixWorld();
    return camera;
  }

  box(camera, half) {
    camera.top = half;
    camera.bottom = -half;
    camera.right = half * this.aspect;
    camera.left = -camera.right;
    camera.updateProjectionMatrix();
  }
}
