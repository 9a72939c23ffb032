import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

interface RunRequest {
  readonly root: string;
  /** Name of the person who starts the run. */
  readonly actor: string;
  readonly slots: number;
  /**
   * Version of the settings that this person has seen. The run refuses to start if ringmaster.toml has changed since.
   */
  readonly settings: string;
}

interface LaunchedRun {
  /** Undefined if the program could not be started. */
  readonly pid: number | undefined;
  /** Resolves with the reason when the process has ended. */
  readonly ended: Promise<string>;
}

export type LaunchRun = (request: RunRequest) => LaunchedRun;

export interface LaunchOptions {
  readonly home: string;
  /** The ringmaster command. */
  readonly command: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns a function that starts `ringmaster run` in its own session, so that it outlives the server. The output goes
 * to a file in the data home, because a file in the workspace could be a link that is part of the repository.
 */
export function runLauncher({ home, command, env }: LaunchOptions): LaunchRun {
  return ({ root, actor, slots, settings }) => {
    const folder = join(home, 'ringmaster-runs');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const log = join(folder, `${createHash('sha256').update(root).digest('hex').slice(0, 12)}.log`);
    const file = openSync(log, 'w', 0o600);
    const args = ['run', '--json', '--dir', root, '--actor', actor, '--slots', String(slots)];
    const child = spawn(command, args, {
      cwd: root,
      detached: true,
      stdio: ['ignore', file, file],
      env: { ...supervisorEnvironment(env), HOLDFAST_HOME: home, RINGMASTER_SETTINGS: settings },
    });
    closeSync(file);
    child.unref();
    const ended = new Promise<string>((done) => {
      child.once('error', (error) => done(`${command} could not be started: ${error.message}`));
      child.once('exit', (code, signal) => done(reasonIn(log) ?? `ringmaster run ended with ${code ?? signal}`));
    });
    return { pid: child.pid, ended };
  };
}

/** Removes the server's own settings, which can name files with secrets. */
function supervisorEnvironment(env: LaunchOptions['env']): LaunchOptions['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:HOLDFAST|UTASK|RINGMASTER)_/u.test(name)));
}

/** Returns the message of the last error that the command printed. */
function reasonIn(log: string): string | undefined {
  const last = readFileSync(log, 'utf8').trimEnd().split('\n').at(-1) ?? '';
  try {
    const { error } = JSON.parse(last) as { readonly error?: { readonly message?: string } };
    return error?.message;
  } catch {
    return last === '' ? undefined : last;
  }
}
