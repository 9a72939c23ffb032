import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { DatabaseSync } from '../../../packages/sqlite/src/driver.ts';
import { type Counts, violate } from './campaign.ts';
import { type AgentCharacter, type NightProject, settingsWith } from './night-project.ts';

const bin = join(process.cwd(), 'dist', 'bin');

/** A process that can be killed and started again. */
export interface Member {
  readonly name: string;
  readonly failpoints: readonly string[];
  readonly isRunning: () => boolean;
  readonly start: (failpoint?: string) => Promise<void>;
  /** Sends a signal and waits until the process ends. */
  readonly stop: (signal: 'SIGKILL' | 'SIGINT') => Promise<void>;
  readonly signal: (signal: 'SIGSTOP' | 'SIGCONT') => void;
}

/** A server with the project, and machines with their own homes that work for it. */
export class Fleet {
  readonly #project: NightProject;
  readonly #remote: string;
  readonly #token: string;
  readonly server: Member;
  readonly machines: readonly Member[];
  #url = '';

  constructor(project: NightProject, parent: string, machines: readonly AgentCharacter[][]) {
    this.#project = project;
    this.#remote = join(parent, 'remote');
    execFileSync('git', ['init', '-q', '--bare', '-b', 'main', this.#remote]);
    project.git('remote', 'add', 'origin', this.#remote);
    const args = ['token', 'create', '--name', 'machines', '--scope', 'app:ringmaster-machines:write', '--json'];
    const created = execFileSync(join(bin, 'holdfast'), args, { env: project.environment(), encoding: 'utf8' });
    this.#token = (JSON.parse(created) as { data: { secret: string } }).data.secret;
    this.server = this.#member('server', serverFailpoints, (env) => this.#serve(env));
    this.machines = machines.map((workers, at) => this.#machine(join(parent, `machine-${at + 1}`), workers));
  }

  get all(): readonly Member[] {
    return [this.server, ...this.machines];
  }

  async #serve(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
    const port = this.#url === '' ? '0' : new URL(this.#url).port;
    const child = spawn(join(bin, 'holdfast'), ['serve', '--json', '--apps', 'ringmaster', '--port', port], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr.on('data', (chunk: Buffer) => this.#log('server', chunk));
    const lines = createInterface({ input: child.stdout });
    const line = await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      child.once('close', () => reject(new Error('the server ended before it listened')));
    });
    this.#url = (JSON.parse(line) as { url: string }).url;
    return child;
  }

  #machine(folder: string, workers: readonly AgentCharacter[]): Member {
    mkdirSync(join(folder, 'home'), { recursive: true, mode: 0o700 });
    const run = `git_remote = "${this.#remote}"`;
    writeFileSync(join(folder, 'ringmaster.toml'), settingsWith(this.#project.records, workers, run));
    const workspace = createHash('sha256').update(realpathSync(this.#project.folder)).digest('hex').slice(0, 12);
    return this.#member(folder, machineFailpoints, (env) => {
      const args = ['run', '--server', this.#url, '--workspace', workspace];
      const own = { ...env, HOLDFAST_HOME: join(folder, 'home'), HOLDFAST_TOKEN: this.#token };
      const child = spawn(join(bin, 'ringmaster'), args, { cwd: folder, env: own, stdio: ['ignore', 'pipe', 'pipe'] });
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => this.#log(folder.split('/').at(-1) ?? '', chunk));
      }
      return Promise.resolve(child);
    });
  }

  #log(name: string, chunk: Buffer): void {
    const lines = chunk.toString().trimEnd().split('\n');
    const text = lines.map((line) => `${new Date().toISOString()} ${name}: ${line}\n`).join('');
    appendFileSync(join(this.#project.records, 'run.log'), text);
  }

  #member(
    name: string,
    failpoints: readonly string[],
    begin: (env: NodeJS.ProcessEnv) => Promise<ChildProcess>,
  ): Member {
    let child: ChildProcess | undefined;
    let ended: Promise<unknown> = Promise.resolve();
    const isRunning = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;
    return {
      name,
      failpoints,
      isRunning,
      start: async (failpoint) => {
        child = await begin(
          this.#project.environment(failpoint === undefined ? {} : { HOLDFAST_FAILPOINT: failpoint }),
        );
        ended = new Promise((resolve) => child?.once('close', resolve));
      },
      async stop(signal) {
        if (!isRunning()) return;
        child?.kill(signal);
        await ended;
      },
      signal: (signal) => void child?.kill(signal),
    };
  }

  /** Checks that the machines have left nothing behind. */
  check(counts: Counts): void {
    for (const { name: folder } of this.machines) {
      const worktrees = join(folder, '.ringmaster', 'worktrees');
      for (const name of existsSync(worktrees) ? readdirSync(worktrees) : []) {
        violate(counts, 'partial', `left on a machine: folder ${name}`);
      }
      const database = new DatabaseSync(join(folder, '.ringmaster', 'ringmaster.db'));
      const rows = database.prepare(`SELECT value FROM ringmaster_meta WHERE key = 'server_tasks'`).all();
      database.close();
      const left = rows.flatMap(({ value }) => (JSON.parse(String(value)) as { list: { task: string }[] }).list);
      for (const { task } of left) violate(counts, 'lost', `a machine has not reported ${task}`);
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/u.test(name))) {
        if (environmentOf(pid).includes(`RINGMASTER_ROOT=${folder}\0`)) {
          violate(counts, 'partial', `process ${pid} of a machine is left`);
        }
      }
    }
    const branches = execFileSync('git', ['-C', this.#remote, 'branch', '--list'], { encoding: 'utf8' });
    for (const branch of branches.split('\n').filter((line) => line.trim() !== '')) {
      violate(counts, 'partial', `left in the remote repository: ${branch.trim()}`);
    }
  }
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}

export const serverFailpoints = [
  'ringmaster.machine.claimed',
  'ringmaster.machine.prepared',
  'ringmaster.machine.fetched',
  'ringmaster.machine.finished',
  'ringmaster.machine.deleted',
  'ringmaster.merge.moved',
];

export const machineFailpoints = [
  'ringmaster.server.accepted',
  'ringmaster.run.claimed',
  'ringmaster.run.worktree',
  'ringmaster.run.worked',
  'ringmaster.run.committed',
  'ringmaster.run.finished',
  'ringmaster.server.pushed',
  'ringmaster.server.reported',
];
