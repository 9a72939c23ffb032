import { delay } from '@holdfast/base';

import { Proxy } from '../../../packages/postgres/test/proxy.ts';
import { TestServer } from '../../../packages/postgres/test/server.ts';

/** Servers, one of which is the primary; another can take over. */
export interface Cluster {
  readonly address: string;
  readonly primary: {
    readonly server: Pick<TestServer, 'run' | 'signal'>;
    /** The network between the clients and the server. */
    readonly front: Disturbed;
    /** The network between the server and the rest of the cluster. */
    readonly link: Disturbed;
  };
  /** Resolves when another server is the primary. */
  promote(): Promise<void>;
  /** Resolves when the primary has a standby again. */
  rejoin(): Promise<void>;
  stop(): Promise<void>;
}

export type Disturbed = Pick<Proxy, 'hold' | 'release' | 'cut'>;

/** A place for a server. Its address stays the same when the server is replaced. */
interface ServerLocation {
  server: TestServer;
  /** Between the clients and the server. */
  readonly front: Proxy;
  /** Between the server and its standby. */
  readonly link: Proxy;
}

/**
 * A primary and a standby that the campaign itself promotes. While the standby follows the primary, every acknowledged
 * commit is on both servers, unless replication is asynchronous.
 */
export class ScriptedCluster implements Cluster {
  readonly #isSynchronous: boolean;
  #hasStandby = true;
  #places: readonly [primary: ServerLocation, standby: ServerLocation];

  private constructor(isSynchronous: boolean, places: readonly [primary: ServerLocation, standby: ServerLocation]) {
    this.#isSynchronous = isSynchronous;
    this.#places = places;
  }

  static async start(isSynchronous: boolean): Promise<ScriptedCluster> {
    const server = await TestServer.start();
    const primary = await placeFor(server);
    const standby = await TestServer.standbyOf(primary.link);
    const cluster = new ScriptedCluster(isSynchronous, [primary, await placeFor(standby)]);
    await cluster.#follow();
    return cluster;
  }

  get primary(): ServerLocation {
    return this.#places[0];
  }

  get address(): string {
    const hosts = this.#places.map(({ front }) => `127.0.0.1:${front.port}`);
    return `postgres://holdfast@${hosts.join(',')}/postgres`;
  }

  /** Makes the standby the primary. The new primary accepts commits without a standby until `rejoin`. */
  async promote(): Promise<void> {
    const [old, next] = this.#places;
    await next.server.run('SELECT pg_promote(true, 60)');
    this.#places = [next, old];
    this.#hasStandby = false;
  }

  /** After a promotion, replaces the old primary with a new standby. */
  async rejoin(): Promise<void> {
    if (this.#hasStandby) return;
    const [primary, old] = this.#places;
    old.front.cut();
    old.link.cut();
    old.front.refuses = true;
    await old.server.stop();
    old.server = await TestServer.standbyOf(primary.link);
    old.front.target = old.link.target = old.server.port;
    old.front.refuses = false;
    await this.#follow();
    this.#hasStandby = true;
  }

  async stop(): Promise<void> {
    for (const { server, front, link } of this.#places) {
      await Promise.all([front.close(), link.close()]);
      await server.stop();
    }
  }

  /**
   * Waits until the standby follows the primary. If replication is synchronous, each commit then waits for the standby.
   */
  async #follow(): Promise<void> {
    const { server } = this.primary;
    await until(
      async () => (await server.run(`SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'`)).length > 0,
    );
    if (!this.#isSynchronous) return;
    await server.run(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await server.run('SELECT pg_reload_conf()');
    await until(async () => (await server.run('SHOW synchronous_standby_names'))[0]?.[0] === '*');
    // The setting takes effect when the checkpointer has read it, which it does before a checkpoint.
    await server.run('CHECKPOINT');
  }
}

async function placeFor(server: TestServer): Promise<ServerLocation> {
  return { server, front: await Proxy.start(server.port), link: await Proxy.start(server.port) };
}

export async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 300_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('The servers are not ready after five minutes');
    await delay(30);
  }
}
