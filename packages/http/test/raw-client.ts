import { connect, type Socket } from 'node:net';

/** Long enough that a test doesn't fail on a busy machine. */
const PATIENCE_MS = 20_000;

/** A client on a bare socket, for requests that no HTTP library would send. */
export class RawClient {
  readonly socket: Socket;
  received = '';
  isClosed = false;
  readonly #closed: Promise<void>;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (chunk) => {
      this.received += chunk.toString('latin1');
    });
    this.socket.on('error', () => undefined);
    this.#closed = new Promise((resolve) => {
      this.socket.on('close', () => {
        this.isClosed = true;
        resolve();
      });
    });
  }

  send(text: string): void {
    if (!this.socket.destroyed) this.socket.write(text.replaceAll('\n', '\r\n'), 'latin1');
  }

  /** Waits until the received text matches. */
  async until(pattern: RegExp, timeoutMs: number = PATIENCE_MS): Promise<string> {
    const deadline = Date.now() + timeoutMs;
    while (!pattern.test(this.received)) {
      if (Date.now() > deadline) throw new Error(`Nothing like ${pattern} in:\n${this.received.slice(0, 2_000)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return this.received;
  }

  async closed(timeoutMs: number = PATIENCE_MS): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`Still open; received:\n${this.received.slice(0, 2_000)}`)), timeoutMs);
    });
    await Promise.race([this.#closed, late]).finally(() => clearTimeout(timer));
  }

  destroy(): void {
    this.socket.destroy();
  }
}

export async function eventually(check: () => boolean, what: string, timeoutMs: number = PATIENCE_MS): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!check()) {
    if (Date.now() > deadline) throw new Error(`It did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
