// A server that simulates: messages come over a WebSocket, requests go back as JSON.

export class Live {
  constructor(receive, status) {
    this.receive = receive;
    this.status = status;
    this.wait = 250;
    this.connect();
  }

  connect() {
    const url = new URL('socket', location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    this.socket = new WebSocket(url);
    this.socket.binaryType = 'arraybuffer';
    this.socket.onopen = () => { this.wait = 250; this.status(true); };
    this.socket.onmessage = (e) => this.receive(e.data);
    this.socket.onclose = (e) => {
      this.status(false, e.reason);
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, 4000);
    };
  }

  send(event) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(event));
  }

  async drop(files) {
    const data = await Promise.all(files.map(async (file) => ({ name: file.name, data: base64(await file.arrayBuffer()) })));
    const answer = await fetch('drop', { method: 'POST', body: JSON.stringify({ do: 'drop', files: data }) });
    if (!answer.ok) throw new Error(await answer.text());
  }
}

function base64(buffer) {
  const bytes = new Uint8Array(buffer);
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}
