// The picture in a reflecting plane: the scene from a camera behind the plane.
import * as THREE from 'three';

export class Mirror {
  constructor(samples) {
    this.target = new THREE.WebGLRenderTarget(512, 512, { samples });
    this.camera = new THREE.PerspectiveCamera();
  }

  render(renderer, scene, camera, slot, hidden) {
    const { object, material, geom } = slot;
    const normal = new THREE.Vector3(0, 0, 1).applyQuaternion(object.quaternion);
    const origin = object.position;
    const above = camera.position.clone().sub(origin).dot(normal);
    if (above <= 0) return;

    const size = renderer.getDrawingBufferSize(new THREE.Vector2());
    const [w, h] = [Math.ceil(size.x / 2), Math.ceil(size.y / 2)];
    if (this.target.width !== w || this.target.height !== h) this.target.setSize(w, h);
    const reflect = (v) => v.clone().sub(origin).reflect(normal).add(origin);
    const ahead = new THREE.Vector3(0, 0, -1).applyQuaternion(camera.quaternion).add(camera.position);
    const up = new THREE.Vector3(0, 1, 0).applyQuaternion(camera.quaternion).reflect(normal);
    const eye = this.camera;
    eye.position.copy(reflect(camera.position));
    eye.up.copy(up);
    eye.lookAt(reflect(ahead));
    eye.near = camera.near;
    eye.far = camera.far;
    eye.updateMatrixWorld();
    eye.projectionMatrix.copy(camera.projectionMatrix);
    eye.projectionMatrixInverse.copy(camera.projectionMatrixInverse);

    object.visible = false;
    hidden.visible = false;
    const clip = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, origin);
    renderer.clippingPlanes = [clip];
    const automatic = renderer.shadowMap.autoUpdate;
    renderer.shadowMap.autoUpdate = false;
    renderer.setRenderTarget(this.target);
    renderer.clear();
    renderer.render(scene, eye);
    renderer.setRenderTarget(null);
    renderer.shadowMap.autoUpdate = automatic;
    renderer.clippingPlanes = [];
    object.visible = true;
    hidden.visible = true;

    const uniforms = material.userData.uniforms;
    uniforms.mirror.value = this.target.texture;
    uniforms.mirrored.value = geom.reflectance;
    uniforms.mirrorMatrix.value.multiplyMatrices(eye.projectionMatrix, eye.matrixWorldInverse);
  }
}
