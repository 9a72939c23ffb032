import { connect, createServer, type Server, type Socket } from 'node:net';

/** A network connection between client and server that tests can cut or silence. */
export class Proxy {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isSilent = false;
  #isSilentBackwards = false;
  #bytesLeft = Number.POSITIVE_INFINITY;
  #isCut = false;
  #timeouts = 0;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  static async to(port: number): Promise<Proxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new Proxy(server, (server.address() as { port: number }).port);
    server.on('connection', (client) => proxy.#join(client, port));
    return proxy;
  }

  #join(client: Socket, port: number): void {
    if (this.#isCut) {
      client.destroy();
      return;
    }
    if (this.#timeouts > 0) {
      this.#timeouts -= 1;
      this.#sockets.add(client);
      client.on('error', () => undefined);
      client.on('close', () => this.#sockets.delete(client));
      client.end(`INFO {"version":"2.9.10","max_payload":1048576}\r\n-ERR 'Authentication Timeout'\r\n`);
      return;
    }
    const upstream = connect({ port, host: '127.0.0.1' });
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (data) => void (this.#isSilent || upstream.write(data)));
    upstream.on('data', (data) => {
      this.#bytesLeft -= data.length;
      if (!this.#isSilent && !this.#isSilentBackwards && this.#bytesLeft > 0) client.write(data);
    });
  }

  /** Delivers requests, but drops responses. */
  loseAnswers(): void {
    this.#isSilentBackwards = true;
  }

  /** Drops all responses after this many bytes. */
  loseAnswersAfter(bytes: number): void {
    this.#bytesLeft = bytes;
  }

  /** Drops everything, but keeps the connections open. */
  fallSilent(): void {
    this.#isSilent = true;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Closes all connections, and answers the next ones like a server that gave up waiting for credentials. */
  timeOutAuthentication(times: number): void {
    this.heal();
    this.#timeouts = times;
  }

  /** Closes all connections; new ones work. */
  heal(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#isCut = false;
    this.#isSilent = false;
    this.#isSilentBackwards = false;
    this.#bytesLeft = Number.POSITIVE_INFINITY;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
