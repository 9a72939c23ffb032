import { spawn, spawnSync } from 'node:child_process';
import { existsSync, realpathSync, rmSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { isWithin, systemErrorCode, writeFileDurablySync } from '@holdfast/base';
import type { CommandContext, ExitCode } from '@holdfast/cli';
import { httpErrors } from '@holdfast/http';

import { launchdAgent, type ServiceCommand, SYSTEM_HOME, SYSTEM_USER, systemUnit, userUnit } from './service-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface Scope {
  readonly system: boolean;
}

/** Manages our service with systemd or launchd. */
interface Manager {
  readonly file: string;
  /** Writes the service file and starts the service, now and at every boot. */
  install(command: ServiceCommand): void | Promise<void>;
  uninstall(): void;
  isRunning(): boolean;
  logs(limit: number, isFollowing: boolean): readonly [program: string, ...args: string[]];
}

const NAME = 'holdfast';
const LABEL = 'holdfast.server';

export async function install({ options, env, out }: CommandContext<{ options: Scope }>): Promise<void> {
  const manager = managerFor(options, env);
  await manager.install(serviceCommand(options, env));
  out.item({ file: manager.file }, (page) => {
    page.line('The server is running, and starts at every boot.');
    page.line(`Service file: ${manager.file}`);
    page.line(
      `The one-time link that creates the owner is in the log: holdfast service logs${options.system ? ' --system' : ''}`,
    );
  });
}

export function status({ options, env, out }: CommandContext<{ options: Scope }>): ExitCode {
  const manager = managerFor(options, env);
  const isInstalled = existsSync(manager.file);
  const isRunning = isInstalled && manager.isRunning();
  out.item({ installed: isInstalled, running: isRunning, file: isInstalled ? manager.file : null }, (page) => {
    page.line(
      isRunning
        ? 'The service is running.'
        : isInstalled
          ? 'The service is installed but not running.'
          : 'The service is not installed.',
    );
  });
  return isRunning ? 0 : 3;
}

interface LogOptions extends Scope {
  readonly lines: number;
  readonly follow: boolean;
}

export function logs({ options, env }: CommandContext<{ options: LogOptions }>): Promise<ExitCode> {
  const manager = installed(options, env);
  const [program, ...args] = manager.logs(options.lines, options.follow);
  return new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: 'inherit' });
    child.on('error', (error) => fail(unavailable(program, error)));
    child.on('close', (code) => done(code === 0 ? 0 : 1));
  });
}

export function uninstall({ options, env, out }: CommandContext<{ options: Scope }>): void {
  const manager = installed(options, env);
  manager.uninstall();
  out.item({ file: manager.file }, (page) => {
    page.line('The service is stopped and removed. Its data stays in the data home.');
  });
}

function installed(scope: Scope, env: Environment): Manager {
  const manager = managerFor(scope, env);
  if (existsSync(manager.file)) return manager;
  throw httpErrors.SERVICE_NOT_INSTALLED(`There is no ${manager.file}`);
}

function managerFor({ system: isSystem }: Scope, env: Environment): Manager {
  if (process.platform !== 'darwin') return isSystem ? systemdSystem() : systemdUser(env);
  if (isSystem) throw httpErrors.SERVICE_MANAGER_MISSING('--system needs systemd, which macOS does not have');
  return launchd(env);
}

function systemdUser(env: Environment): Manager {
  const home = env['HOME'] ?? homedir();
  const config = env['XDG_CONFIG_HOME'];
  const folder = config?.startsWith('/') === true ? config : join(home, '.config');
  return {
    ...systemd(join(folder, 'systemd', 'user', `${NAME}.service`), ['--user'], userUnit),
    async install(command) {
      await systemd(this.file, ['--user'], userUnit).install(command);
      startAtBoot(userInfo().username);
    },
  };
}

/** Without lingering, systemd starts a user's services at the user's login, not at boot. */
function startAtBoot(user: string): void {
  const { stdout } = spawnSync('loginctl', ['show-user', user, '--property=Linger', '--value'], { encoding: 'utf8' });
  if (stdout?.trim() === 'yes') return;
  try {
    execute('loginctl', ['enable-linger', user]);
  } catch (error) {
    throw httpErrors.SERVICE_FAILED('The service is running, but it starts when you log in, not at boot', {
      hint: `To start it at boot, run: sudo loginctl enable-linger ${user}`,
      cause: error,
    });
  }
}

function systemdSystem(): Manager {
  const manager = systemd(`/etc/systemd/system/${NAME}.service`, [], systemUnit);
  return {
    ...manager,
    async install(command) {
      if (process.getuid?.() !== 0) throw httpErrors.SERVICE_FAILED('Only root can install a system service');
      const hidden = command.program.find((path) => isWithin(path, '/root') || isWithin(path, '/home'));
      if (hidden !== undefined) {
        throw httpErrors.SERVICE_FAILED(`The service's user cannot read ${hidden}`, {
          hint: 'Install Node.js and Holdfast for all users, for example below /usr/local, and try again.',
        });
      }
      if (spawnSync('id', ['-u', SYSTEM_USER]).status !== 0) {
        const home = ['--home-dir', SYSTEM_HOME, '--no-create-home', '--shell', '/usr/sbin/nologin'];
        execute('useradd', ['--system', '--user-group', ...home, SYSTEM_USER]);
      }
      await manager.install(command);
    },
  };
}

/** Wrong settings and an occupied port end the server within this time. */
const STEADY_MS = 2_000;
const CHECK_MS = 100;

async function requireSteady(isRunning: () => boolean, isSystem: boolean): Promise<void> {
  for (let waited = 0; waited < STEADY_MS; waited += CHECK_MS) {
    await delay(CHECK_MS);
    if (isRunning()) continue;
    throw httpErrors.SERVICE_FAILED('The service is installed, but the server ended right after its start', {
      hint: `To see why, run: holdfast service logs${isSystem ? ' --system' : ''}`,
    });
  }
}

function systemd(file: string, scope: readonly string[], unitOf: (command: ServiceCommand) => string): Manager {
  const systemctl = (...args: string[]): void => execute('systemctl', [...scope, ...args]);
  const isRunning = () => spawnSync('systemctl', [...scope, 'is-active', '--quiet', NAME]).status === 0;
  return {
    file,
    async install(command) {
      const isNew = !existsSync(file);
      write(file, unitOf(command));
      try {
        systemctl('daemon-reload');
        systemctl('enable', NAME);
        systemctl('restart', NAME);
      } catch (error) {
        if (isNew) rmSync(file);
        throw error;
      }
      await requireSteady(isRunning, scope.length === 0);
    },
    uninstall() {
      systemctl('disable', '--now', NAME);
      rmSync(file, { force: true });
      systemctl('daemon-reload');
    },
    isRunning,
    logs: (limit, isFollowing) => [
      'journalctl',
      ...scope,
      `--unit=${NAME}`,
      `--lines=${limit}`,
      '--no-pager',
      '--output=cat',
      ...(isFollowing ? ['--follow'] : []),
    ],
  };
}

function launchd(env: Environment): Manager {
  const library = join(env['HOME'] ?? homedir(), 'Library');
  const file = join(library, 'LaunchAgents', `${LABEL}.plist`);
  const log = join(library, 'Logs', 'holdfast.log');
  const domain = `gui/${process.getuid?.() ?? 0}`;
  return {
    file,
    install(command) {
      write(file, launchdAgent(command, LABEL, log));
      spawnSync('launchctl', ['bootout', `${domain}/${LABEL}`]);
      execute('launchctl', ['bootstrap', domain, file]);
    },
    uninstall() {
      execute('launchctl', ['bootout', `${domain}/${LABEL}`]);
      rmSync(file, { force: true });
    },
    isRunning: () => spawnSync('launchctl', ['print', `${domain}/${LABEL}`]).status === 0,
    logs: (limit, isFollowing) => ['tail', '-n', `${limit}`, ...(isFollowing ? ['-F'] : []), log],
  };
}

/** Environment variables that are copied into the service file. */
const KEPT = ['HOLDFAST_HOME', 'HOLDFAST_CONFIG', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME'] as const;

function serviceCommand({ system: isSystem }: Scope, env: Environment): ServiceCommand {
  const script = realpathSync(process.argv[1] ?? '');
  if (script.includes('/_npx/')) {
    throw httpErrors.SERVICE_FAILED('This copy of Holdfast is in the npx cache, and npx may delete it', {
      hint: 'Install Holdfast first: npm i -g holdfast',
    });
  }
  const kept = KEPT.flatMap((name) => {
    const value = env[name];
    if (value === undefined || value === '') return [];
    // The service manager starts the server in another folder. Relative XDG paths are ignored everywhere.
    return [[name, name.startsWith('HOLDFAST_') ? resolve(value) : value] as const];
  });
  const environment: Readonly<Record<string, string>> = isSystem
    ? { HOLDFAST_HOME: SYSTEM_HOME, XDG_CONFIG_HOME: '/etc' }
    : Object.fromEntries(kept);
  return { program: [process.execPath, script], environment: { PATH: env['PATH'] ?? '', ...environment } };
}

function write(file: string, text: string): void {
  try {
    writeFileDurablySync(file, text, 0o644);
  } catch (error) {
    throw httpErrors.SERVICE_FAILED(`${file} cannot be written (${systemErrorCode(error)})`, { cause: error });
  }
}

function execute(program: string, args: readonly string[]): void {
  const { error, status: code, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (error !== undefined) throw unavailable(program, error);
  if (code !== 0) throw httpErrors.SERVICE_FAILED(`${program} ${args.join(' ')}: ${stderr.trim() || `exit ${code}`}`);
}

function unavailable(program: string, cause: Error): Error {
  return httpErrors.SERVICE_MANAGER_MISSING(`${program} cannot be started`, { cause });
}
