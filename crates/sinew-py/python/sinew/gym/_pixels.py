"""Images of the worlds of a task."""

import time

import numpy as np

import sinew

MODES = ["rgb_array", "depth_array", "rgbd_tuple"]


class Window:
    """Shows a world in the viewer, at most in real time."""

    def __init__(self, task):
        from sinew import viewer

        self._task, self._data, self._last = task, sinew.MjData(task.model), 0.0
        self._handle = viewer.launch_passive(task.model, self._data)

    def show(self):
        """Shows the present state, at the earliest one step's duration after the last one."""
        self._task.batch._copy_data(0, self._data)
        time.sleep(max(0.0, self._last + self._task.dt - time.perf_counter()))
        self._last = time.perf_counter()
        self._handle.sync()

    def close(self):
        """Closes the viewer."""
        self._handle.close()


class Pixels:
    """Draws images of worlds as Gymnasium's environments do, without a window or OpenGL."""

    def __init__(self, task, width, height, camera_id=None, camera_name=None, camera=None):
        if camera_id is not None and camera_name is not None:
            raise ValueError("Both `camera_id` and `camera_name` cannot be specified at the same time.")
        model = task.model
        model.vis.global_.offwidth = max(model.vis.global_.offwidth, width)
        model.vis.global_.offheight = max(model.vis.global_.offheight, height)
        self._task, self._renderer = task, sinew.Renderer(model, height, width)
        self._fixed = camera_name if camera_id is None else camera_id
        self._settings = task.camera if camera is None else camera
        self._camera = None

    def _view(self, data):
        """The camera: a camera of the model, or a free camera that looks at the model's centre."""
        if self._fixed is not None and self._fixed != -1:
            return self._fixed
        if self._camera is None:
            self._camera = sinew.MjvCamera()
            self._camera.type = int(sinew.mjtCamera.mjCAMERA_FREE)
            self._camera.fixedcamid = -1
            self._camera.lookat[:] = np.median(data.geom_xpos, axis=0)
            self._camera.distance = self._task.model.stat.extent
            for name, value in self._settings.items():
                if np.ndim(value):
                    getattr(self._camera, name)[:] = value
                else:
                    setattr(self._camera, name, value)
        return self._camera

    def one(self, world, mode):
        """The image of one world: colours, depths between 0 and 1, or both."""
        data = self._task.batch.data(world)
        self._renderer.update_scene(data, self._view(data))
        if mode == "rgb_array":
            return self._renderer.render()
        r = self._renderer
        depth = 1 - r._context.raw_depth(r.model, r.scene, r.width, r.height)
        return depth if mode == "depth_array" else (self._renderer.render(), depth)

    def all(self, worlds=None):
        """Colours of all worlds, or of some: (n, height, width, 3)."""
        worlds = range(self._task.n) if worlds is None else worlds
        datas = [self._task.batch.data(i) for i in worlds]
        return self._renderer.render_batch(datas, self._view(datas[0]))

    def close(self):
        """Releases the renderer."""
        self._renderer.close()
