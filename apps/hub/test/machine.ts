import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

import { expect, onTestFinished } from 'vitest';

const repository = resolve(import.meta.dirname, '../../..');
const USER_ID = 1000;
const BOOT_MS = 60_000;
const COMMAND_MS = 60_000;

const LOGIN = ['auth required', 'account required', 'session required']
  .map((rule) => `${rule} pam_permit.so\n`)
  .concat('session optional pam_systemd.so\n')
  .join('');

/** The files below /etc without which systemd does not start, or users cannot log in. */
const settings: Readonly<Record<string, string>> = {
  'os-release': 'ID=test\n',
  passwd: `root:x:0:0::/root:/bin/sh\nada:x:${USER_ID}:${USER_ID}::/home/ada:/bin/sh\n`,
  group: `root:x:0:\nada:x:${USER_ID}:\n`,
  shadow: 'root:*:1::::::\nada:*:1::::::\n',
  'pam.d/other': LOGIN,
  'pam.d/systemd-user': LOGIN,
  // Keeps services of the host from starting, such as nginx: their unit files are in the shared /usr.
  'systemd/system-preset/00-none.preset': 'disable *\n',
};

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A machine that runs systemd as its first process, with the users root and ada. It has its own files, except that it
 * shares /usr with this machine, so it boots in a few seconds. It also shares the network. Needs root.
 */
export class Machine {
  readonly #root: string;
  #process: ChildProcess | undefined;

  private constructor(root: string) {
    this.#root = root;
  }

  static async boot(): Promise<Machine> {
    if (process.getuid?.() !== 0) throw new Error('Tests of services boot a machine: run them as root on Linux.');
    const root = mkdtempSync(join(tmpdir(), 'holdfast-machine-'));
    const machine = new Machine(root);
    onTestFinished(() => machine.#remove());
    chmodSync(root, 0o755);
    for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name));
    for (const [name, text] of Object.entries(settings)) machine.write(`/etc/${name}`, text);
    mkdirSync(join(root, 'etc/systemd/system'));
    // Disables two services. systemd-firstboot asks for a time zone and waits for the answer. polkit's rules for users
    // differ between systems.
    for (const name of ['systemd-firstboot', 'polkit']) {
      symlinkSync('/dev/null', join(root, `etc/systemd/system/${name}.service`));
    }
    for (const folder of ['usr', 'opt/holdfast', 'home/ada', 'root'])
      mkdirSync(join(root, folder), { recursive: true });
    chownSync(join(root, 'home/ada'), USER_ID, USER_ID);
    writeFileSync(join(root, 'opt/node'), '');
    await machine.#start();
    return machine;
  }

  write(path: string, text: string): void {
    const file = join(this.#root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  read(path: string): string {
    return readFileSync(join(this.#root, path), 'utf8');
  }

  /** Runs a program as root. */
  asRoot(...words: readonly string[]): Ran {
    return this.#enter(['env', '-i', 'PATH=/usr/sbin:/usr/bin', 'HOME=/root', ...words]);
  }

  asAda(...words: readonly string[]): Ran {
    const variables = ['PATH=/usr/bin', 'HOME=/home/ada', `XDG_RUNTIME_DIR=/run/user/${USER_ID}`];
    return this.#enter([
      'setpriv',
      `--reuid=${USER_ID}`,
      `--regid=${USER_ID}`,
      '--clear-groups',
      'env',
      '-i',
      ...variables,
      ...words,
    ]);
  }

  /** Starts ada's service manager, which systemd starts when she logs in. */
  login(): void {
    this.asRoot('systemctl', 'start', `user@${USER_ID}`);
  }

  /** Starts the machine again, because systemd-nspawn ends when its machine requests a reboot. */
  async reboot(): Promise<void> {
    const ended = this.#end();
    this.asRoot('systemctl', 'reboot');
    await ended;
    await this.#start();
  }

  /** Kills all processes at once and boots again. */
  async stopSuddenly(): Promise<void> {
    await this.#stop();
    await this.#start();
  }

  async #start(): Promise<void> {
    const shared = [
      '--bind-ro=/usr',
      `--bind-ro=${repository}:/opt/holdfast`,
      `--bind-ro=${process.execPath}:/opt/node`,
    ];
    const name = ['--machine', basename(this.#root).replaceAll('_', '-')];
    const manager = ['--boot', '--quiet', '--register=no', '--keep-unit', '--console=pipe', ...name];
    this.#process = spawn('systemd-nspawn', [...manager, '--directory', this.#root, ...shared], {
      stdio: 'ignore',
      // Use cgroup v2: under v1, systemd would not notice when a user's last process exits.
      env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
    });
    await booted(() => this.asRoot('systemctl', 'is-system-running').stdout.trim());
  }

  /** The machine's systemd. */
  #firstProcess(): string | undefined {
    const { pid } = this.#process ?? {};
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ', 1)[0] || undefined;
  }

  #inside(): readonly string[] {
    return ['--target', this.#firstProcess() ?? '0', '--all', '--wd=/', '--'];
  }

  #enter(words: readonly string[]): Ran {
    const { status, stdout, stderr } = spawnSync('nsenter', [...this.#inside(), ...words], {
      encoding: 'utf8',
      timeout: COMMAND_MS,
    });
    return { code: status, stdout, stderr };
  }

  #end(): Promise<unknown> {
    return new Promise((done) => this.#process?.once('close', done));
  }

  async #stop(): Promise<void> {
    if (this.#process?.exitCode !== null) return;
    const ended = this.#end();
    const first = this.#firstProcess();
    if (first !== undefined) process.kill(Number(first), 'SIGKILL');
    this.#process?.kill('SIGKILL');
    await ended;
  }

  async #remove(): Promise<void> {
    await this.#stop();
    rmSync(this.#root, { recursive: true, force: true });
    rmSync(join('/run/systemd/nspawn/propagate', basename(this.#root)), { recursive: true, force: true });
  }
}

async function booted(state: () => string): Promise<void> {
  await expect.poll(state, { timeout: BOOT_MS }).toBeOneOf(['running', 'degraded']);
}
