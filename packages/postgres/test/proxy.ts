import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy between a client and a server, which a test can disturb. */
export class Proxy {
  readonly #server: Server;
  /** The port of the server. */
  target: number;
  #isHeld = false;
  readonly #pairs = new Set<readonly [client: Socket, server: Socket]>();
  /** Drops the server's answers: the client waits, although the server has done its work. */
  losesAnswers = false;
  /** Drops the client's requests: the server never receives them. */
  losesRequests = false;
  refuses = false;
  /** Counts client connections, including refused ones. */
  connections = 0;
  /** Breaks the connection after this many more bytes in one direction. */
  cutAfter: { readonly direction: 'request' | 'answer'; bytes: number } | undefined;
  /** Called before a request is passed on. The request is passed on when the promise resolves. */
  beforeRequest: ((data: Buffer) => Promise<void>) | undefined;
  /**
   * Counts round trips by the purpose of the connection: how often a client sent something after the server had
   * answered.
   */
  readonly roundTrips = new Map<string, number>();

  private constructor(target: number) {
    this.target = target;
    this.#server = createServer((client) => this.#join(client));
  }

  static async start(target: number): Promise<Proxy> {
    const proxy = new Proxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get address(): string {
    return `postgres://holdfast@127.0.0.1:${this.port}/postgres`;
  }

  /** Delays everything until `release`, like a network that loses packets: neither side sees a connection end. */
  hold(): void {
    this.#isHeld = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  release(): void {
    this.#isHeld = false;
    for (const pair of this.#pairs) for (const socket of pair) socket.resume();
  }

  /** Breaks all connections without notifying either side. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    this.#pairs.clear();
  }

  close(): Promise<void> {
    this.cut();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #join(client: Socket): void {
    this.connections += 1;
    if (this.refuses) {
      client.destroy();
      return;
    }
    const server = connect(this.target, '127.0.0.1');
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    let isAnswered = true;
    let purpose: string | undefined;
    client.on('data', (data) => {
      if (this.losesRequests) return;
      purpose ??= /application_name\0holdfast (\w+)/.exec(data.toString('latin1'))?.[1] ?? 'unknown';
      if (isAnswered) this.roundTrips.set(purpose, (this.roundTrips.get(purpose) ?? 0) + 1);
      isAnswered = false;
      if (this.beforeRequest === undefined) this.#pass('request', data, server, pair);
      else {
        client.pause();
        const passed = this.beforeRequest(data).then(() => this.#pass('request', data, server, pair));
        void passed.finally(() => client.resume());
      }
    });
    server.on('data', (data) => {
      isAnswered = true;
      if (!this.losesAnswers) this.#pass('answer', data, client, pair);
    });
    for (const socket of pair) {
      if (this.#isHeld) socket.pause();
      socket.on('error', () => undefined);
      socket.on('close', () => {
        for (const other of pair) other.destroy();
        this.#pairs.delete(pair);
      });
    }
  }

  #pass(direction: 'request' | 'answer', data: Buffer, to: Socket, pair: readonly [Socket, Socket]): void {
    const cut = this.cutAfter;
    if (cut?.direction !== direction || cut.bytes > data.length) {
      if (cut?.direction === direction) cut.bytes -= data.length;
      to.write(data);
      return;
    }
    this.cutAfter = undefined;
    // Ends the connection only after the other side has received the first part.
    to.write(data.subarray(0, cut.bytes), () => {
      for (const socket of pair) socket.destroy();
    });
  }
}
