import { connect, type Socket } from 'node:net';

/**
 * A client with almost no overhead: fixed request bytes, counted answers, open connections.
 *
 * It never sleeps while measuring. On a virtual machine, waking a sleeping process costs the waker more than a whole
 * bare request. A server slower than its client would pay that cost with every answer, and a faster server never would,
 * so their figures could not be compared.
 */
export class RawClient {
  readonly #sockets: readonly Socket[];
  readonly #request: string;

  private constructor(sockets: readonly Socket[], request: string) {
    this.#sockets = sockets;
    this.#request = request;
  }

  static async open(port: number, request: string, connections: number): Promise<RawClient> {
    const sockets = await Promise.all(Array.from({ length: connections }, () => opened(port)));
    return new RawClient(sockets, request);
  }

  /** Returns requests per second with one request in flight per connection. */
  async run(requests: number): Promise<number> {
    const perSocket = Math.ceil(requests / this.#sockets.length);
    let waking = setImmediate(function stayAwake() {
      waking = setImmediate(stayAwake);
    });
    const started = performance.now();
    await Promise.all(this.#sockets.map((socket) => this.#ask(socket, perSocket)));
    clearImmediate(waking);
    return (perSocket * this.#sockets.length * 1_000) / (performance.now() - started);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #ask(socket: Socket, times: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let left = times;
      const onData = (data: Buffer): void => {
        if (!data.includes('HTTP/1.1 200'))
          return reject(new Error(`Unexpected answer: ${data.toString('latin1', 0, 80)}`));
        left -= 1;
        if (left > 0) return void socket.write(this.#request);
        socket.off('data', onData);
        resolve();
      };
      socket.on('data', onData);
      socket.write(this.#request);
    });
  }
}

export function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.on('error', reject);
  });
}
