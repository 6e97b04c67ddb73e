// Pictures and videos of the view.
import { el } from './dom.js';

export class Capture {
  constructor(app) {
    this.app = app;
  }

  name(end) {
    const model = (this.app.model?.name ?? 'sinew').split(/[\\/]/).pop().replace(/\.\w+$/, '');
    return `${model || 'sinew'}.${end}`;
  }

  save(blob, end) {
    const link = el('a', { href: URL.createObjectURL(blob), download: this.name(end) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  picture() {
    this.app.drawing.render(this.app.view.update());
    this.app.canvas.toBlob((blob) => this.save(blob, 'png'), 'image/png');
  }

  // starts a video, or ends and saves it; returns whether the recorder runs
  video() {
    if (this.recorder) {
      this.recorder.stop();
      this.recorder = null;
      return false;
    }
    const type = ['video/webm;codecs=vp9', 'video/webm', 'video/mp4'].find((t) => MediaRecorder.isTypeSupported(t));
    const recorder = new MediaRecorder(this.app.canvas.captureStream(60), { mimeType: type, videoBitsPerSecond: 12e6 });
    const parts = [];
    recorder.ondataavailable = (e) => parts.push(e.data);
    recorder.onstop = () => this.save(new Blob(parts, { type }), type.includes('mp4') ? 'mp4' : 'webm');
    recorder.start(500);
    this.recorder = recorder;
    return true;
  }
}
