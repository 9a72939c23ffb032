import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { Proxy } from '../../../packages/postgres/test/proxy.ts';
import { freePort, runAt, type ServerSignal, signalServer, user } from '../../../packages/postgres/test/server.ts';
import { currentPlaces, findOnPath } from '../../provision/locate.mjs';
import { type Cluster, type Disturbed, until } from './failover-cluster.ts';

const NODES = 3;
const STUCK_MS = 20_000;

/**
 * Shell command that reads process ids from a pipe. When this process ends or is killed, the pipe closes. The command
 * then kills these processes and the servers. The argument is the folder of the cluster; the command kills only
 * processes that have this folder in their command lines.
 */
const GUARD = `
  pids=
  while read -r pid; do pids="$pids $pid"; done
  for file in "$0"/*/data/postmaster.pid; do [ -f "$file" ] && pids="$pids $(head -n 1 "$file")"; done
  for pid in $pids; do grep -qa "$0" "/proc/$pid/cmdline" 2>/dev/null && kill -9 "$pid"; done
  rm -rf "$0"`;

interface PatroniNode {
  readonly name: string;
  readonly port: number;
  readonly apiPort: number;
  readonly folder: string;
  readonly front: Proxy;
  /** Between this server and its standbys. */
  readonly replication: Proxy;
  /** Between this node and etcd. */
  readonly store: Proxy;
  patroni: ChildProcess;
}

/**
 * Three servers that Patroni manages with etcd. Patroni itself decides when to promote which standby: about 20 s after
 * the primary's last sign of life, the shortest time that it allows.
 */
export class PatroniCluster implements Cluster {
  readonly #isSynchronous: boolean;
  readonly #guard: ChildProcess;
  readonly #etcdPort: number;
  readonly #nodes: readonly PatroniNode[];
  #leader: PatroniNode;

  private constructor(isSynchronous: boolean, guard: ChildProcess, etcdPort: number, nodes: readonly PatroniNode[]) {
    this.#etcdPort = etcdPort;
    this.#isSynchronous = isSynchronous;
    this.#guard = guard;
    this.#nodes = nodes;
    this.#leader = nodes[0]!;
  }

  static async start(isSynchronous: boolean): Promise<PatroniCluster> {
    // Uses the system's temporary folder, which every user can enter, because PostgreSQL does not run as root.
    const folder = ownedFolder(mkdtempSync(join(tmpdir(), 'holdfast-patroni-')), '.');
    const etcdPort = await freePort();
    const guard = spawn('sh', ['-c', GUARD, folder], { stdio: ['pipe', 'ignore', 'ignore'] });
    note(guard, startEtcd(ownedFolder(folder, 'etcd'), etcdPort, await freePort()));
    await until(() => answers(`http://127.0.0.1:${etcdPort}/health`));
    const nodes: PatroniNode[] = [];
    for (let index = 0; index < NODES; index++) {
      const port = await freePort();
      const name = `node${index}`;
      const node = {
        name,
        port,
        apiPort: await freePort(),
        folder: ownedFolder(folder, name),
        front: await Proxy.start(port),
        replication: await Proxy.start(port),
        store: await Proxy.start(etcdPort),
      };
      writeFileSync(join(node.folder, 'patroni.yml'), JSON.stringify(settingsOf(node, isSynchronous)));
      nodes.push({ ...node, patroni: note(guard, startPatroni(node.folder)) });
    }
    const cluster = new PatroniCluster(isSynchronous, guard, etcdPort, nodes);
    try {
      await cluster.rejoin();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  get address(): string {
    return `postgres://holdfast@${this.#nodes.map(({ front }) => `127.0.0.1:${front.port}`).join(',')}/postgres`;
  }

  get primary(): Cluster['primary'] {
    const node = this.#leader;
    const all = [node.replication, node.store];
    const link: Disturbed = {
      hold: () => all.forEach((proxy) => proxy.hold()),
      release: () => all.forEach((proxy) => proxy.release()),
      cut: () => all.forEach((proxy) => proxy.cut()),
    };
    const signal = (name: ServerSignal): void => {
      // Kills Patroni first, because Patroni would restart a killed server.
      node.patroni.kill(name);
      signalServer(join(node.folder, 'data'), name);
    };
    return { server: { run: (text) => runAt(addressOf(node), text), signal }, front: node.front, link };
  }

  async promote(): Promise<void> {
    const old = this.#leader;
    const others = this.#nodes.filter((node) => node !== old);
    await until(async () => (await leaderAmong(others)) !== undefined);
  }

  async rejoin(): Promise<void> {
    const started = Date.now();
    for (const node of this.#nodes) {
      if (hasEnded(node.patroni)) node.patroni = note(this.#guard, startPatroni(node.folder));
    }
    await until(async () => {
      const leader = await leaderAmong(this.#nodes);
      if (leader === undefined) return false;
      const following = `SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'`;
      if ((await runAt(addressOf(leader), following).catch(() => [])).length < NODES - 1) return false;
      this.#leader = leader;
      if (!this.#isSynchronous || (await hasSynchronousStandby(leader))) return true;
      if (Date.now() - started > STUCK_MS) await this.#forgetSynchronousStandby();
      return false;
    });
  }

  /**
   * Deletes Patroni's record of the synchronous standby, as an operator would. In Patroni 3.0.2, an old primary that
   * continues may overwrite the new primary's record. The new primary then waits forever before it writes a new record.
   */
  async #forgetSynchronousStandby(): Promise<void> {
    const key = Buffer.from('/service/holdfast/sync').toString('base64');
    await fetch(`http://127.0.0.1:${this.#etcdPort}/v3/kv/deleterange`, {
      method: 'POST',
      body: JSON.stringify({ key }),
    });
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#guard.once('exit', resolve));
    this.#guard.stdin?.end();
    await ended;
    for (const { front, replication, store } of this.#nodes) {
      await Promise.all([front.close(), replication.close(), store.close()]);
    }
  }
}

function note(guard: ChildProcess, child: ChildProcess): ChildProcess {
  guard.stdin?.write(`${child.pid}\n`);
  return child;
}

function settingsOf(node: Omit<PatroniNode, 'patroni'>, isSynchronous: boolean): object {
  const account = { username: 'holdfast' };
  const api = `127.0.0.1:${node.apiPort}`;
  return {
    scope: 'holdfast',
    name: node.name,
    restapi: { listen: api, connect_address: api },
    // Without use_proxies, Patroni would ask etcd for its own address and bypass the proxy.
    etcd3: { host: `127.0.0.1:${node.store.port}`, use_proxies: true },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 1,
        retry_timeout: 3,
        synchronous_mode: isSynchronous,
        // Without strict mode, a primary without a standby commits alone, and the next failover loses these commits.
        synchronous_mode_strict: isSynchronous,
        postgresql: { use_pg_rewind: false, parameters: { fsync: 'off' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
    },
    postgresql: {
      listen: `127.0.0.1:${node.port}`,
      connect_address: `127.0.0.1:${node.replication.port}`,
      data_dir: join(node.folder, 'data'),
      bin_dir: dirname(realpathSync(requireProgram('initdb'))),
      pgpass: join(node.folder, 'pgpass'),
      authentication: { superuser: account, replication: account, rewind: account },
      // If an old primary has commits that the new one lacks, it gets a new copy of the data. With pg_rewind, it
      // sometimes never returned.
      remove_data_directory_on_diverged_timelines: true,
      parameters: { unix_socket_directories: '' },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
  };
}

function startEtcd(folder: string, port: number, peerPort: number): ChildProcess {
  const own = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const args = [
    ['--data-dir', join(folder, 'data')],
    ['--listen-client-urls', own],
    ['--advertise-client-urls', own],
    ['--listen-peer-urls', peer],
    ['--initial-advertise-peer-urls', peer],
    ['--initial-cluster', `default=${peer}`],
  ];
  return spawn(requireProgram('etcd'), args.flat(), { ...user, stdio: 'ignore' });
}

function startPatroni(folder: string): ChildProcess {
  return spawn(requireProgram('patroni'), [join(folder, 'patroni.yml')], { ...user, cwd: folder, stdio: 'ignore' });
}

/** Debian's Patroni needs 30 packages that only this campaign uses, so `npm run provision` does not install it. */
function requireProgram(name: string): string {
  const program = findOnPath(name, currentPlaces().path);
  if (program === undefined) throw new Error(`${name} is missing: run 'apt-get install patroni etcd-server'`);
  return program;
}

function ownedFolder(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { mode: 0o700, recursive: true });
  if (user.uid !== undefined) chownSync(path, user.uid, user.gid);
  return path;
}

const addressOf = ({ port }: PatroniNode): string => `postgres://holdfast@127.0.0.1:${port}/postgres`;

async function leaderAmong(nodes: readonly PatroniNode[]): Promise<PatroniNode | undefined> {
  const isLeader = await Promise.all(nodes.map(({ apiPort }) => answers(`http://127.0.0.1:${apiPort}/primary`)));
  return nodes.find((_, index) => isLeader[index]);
}

/** Patroni promotes a standby only after it has recorded in etcd that commits wait for this standby. */
async function hasSynchronousStandby({ apiPort }: PatroniNode): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${apiPort}/cluster`);
  const { members } = (await response.json()) as { readonly members: readonly { readonly role: string }[] };
  return members.some(({ role }) => role === 'sync_standby');
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => status === 200,
    () => false,
  );
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;
