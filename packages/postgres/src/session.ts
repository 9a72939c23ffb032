import { createHash } from 'node:crypto';

import pg from 'pg';

import type { Address } from './address.ts';

/**
 * One connection. It never reconnects by itself, because all statements of a transaction must use the connection that
 * began it. Statements are pipelined.
 */
export class Session {
  readonly #client: pg.Client;
  #isOpen = true;
  /**
   * True if the server has sent a warning since `forgetWarnings`. A commit that warns may not have reached a standby.
   */
  hasWarned = false;
  /** Timeline of the server, a number that grows with each failover; 0 if the server has none. */
  timeline = 0;
  /** Index of the server in the address. */
  host = 0;
  /** The last time at which the server was known to be the primary, in `performance.now()` milliseconds. */
  answeredAt = 0;
  /**
   * False behind a pooler that may run each transaction on a different server connection, which does not know our named
   * statements.
   */
  names = true;

  private constructor(client: pg.Client) {
    this.#client = client;
    client.on('error', () => this.drop());
    client.on('end', () => this.drop());
    client.on('notice', (notice) => {
      if (notice.severity === 'WARNING') this.hasWarned = true;
    });
  }

  static async open(address: Address, index: number, purpose: string, limitMs: number): Promise<Session> {
    const { host, port } = address.hosts[index]!;
    const client = new pg.Client({
      host,
      port,
      database: address.database,
      ssl: address.tls,
      connectionTimeoutMillis: limitMs,
      keepAlive: true,
      application_name: `holdfast ${purpose}`,
      ...(address.user === undefined ? {} : { user: address.user }),
      ...(address.password === undefined ? {} : { password: address.password }),
      // The driver's types do not include this option yet.
      ...({ pipeline: true } as object),
    });
    const session = new Session(client);
    try {
      await withCode(client.connect());
      return session;
    } catch (error) {
      session.drop();
      throw error;
    }
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  onNotification(listener: (channel: string) => void): void {
    this.#client.on('notification', ({ channel }) => listener(channel));
  }

  onEnd(listener: () => void): void {
    if (this.#isOpen) this.#client.once('end', listener);
    else listener();
  }

  /** Runs one statement. After `limitMs` without an answer, the connection is dropped. */
  rows<Row extends readonly unknown[]>(text: string, values: readonly unknown[], limitMs: number): Promise<Row[]> {
    const name = this.names ? { name: nameOf(text) } : {};
    const query = { text, values: [...values], rowMode: 'array' as const, ...name };
    return this.#limited(
      this.#client.query(query).then(({ rows }) => rows as unknown as Row[]),
      limitMs,
    );
  }

  /** Runs statements without parameters; returns the server's command tag, for example COMMIT or ROLLBACK. */
  run(text: string, limitMs: number): Promise<string> {
    return this.#limited(
      this.#client.query(text).then((result) => (Array.isArray(result) ? result.at(-1) : result)?.command ?? ''),
      limitMs,
    );
  }

  forgetWarnings(): void {
    this.hasWarned = false;
  }

  /** Closes the connection immediately; pending statements fail. The server rolls back an open transaction. */
  drop(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    (this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#client.end().catch(() => undefined);
  }

  #limited<T>(promise: Promise<T>, limitMs: number): Promise<T> {
    const answer = withCode(promise);
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(Object.assign(new Error(`no answer within ${limitMs} ms`), { code: '08006' }));
        this.drop();
      }, limitMs);
    });
    answer.catch(() => undefined);
    return Promise.race([answer, limit]).finally(() => clearTimeout(timer));
  }
}

/** Adds a code to the driver's error for a lost connection, which has none. */
function withCode<T>(promise: Promise<T>): Promise<T> {
  return promise.catch((error: Error & { code?: string }) => {
    if (error.code === undefined) throw Object.assign(error, { code: '08006' });
    throw error;
  });
}

const statementNames = new Map<string, string>();

/** Named by content, so that two programs behind one pooler never use the same name for different statements. */
function nameOf(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = `holdfast_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    statementNames.set(text, name);
  }
  return name;
}
