import { execFileSync, spawn } from 'node:child_process';

import { delay } from '@holdfast/base';

import { commandExists } from './processes.ts';

export interface TerminalSession {
  /** Name of the tmux session. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables that the session needs in addition to the tmux server's environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** Ends the session when aborted. */
  readonly signal: AbortSignal;
  readonly note: (text: string) => void;
}

export const hasTerminal = (): boolean => process.stdin.isTTY && process.stdout.isTTY;

/** Runs a program for a person until it ends: in a new tmux session or, without tmux, in the current terminal. */
export async function openTerminal(session: TerminalSession): Promise<void> {
  const { env } = session;
  const isInTmux = (env['TMUX'] ?? '') !== '';
  if (!isInTmux && commandExists('tmux', env)) await openTmux(session);
  else await runHere(session, session.command, session.args);
}

/** Ctrl-C is for the program in the terminal, so it must not end ringmaster. */
const ignored = ['SIGINT', 'SIGQUIT', 'SIGHUP'] as const;

async function runHere({ folder, env, variables, signal }: TerminalSession, command: string, args: readonly string[]) {
  for (const name of ignored) process.on(name, doNothing);
  try {
    const child = spawn(command, args, { cwd: folder, env: { ...env, ...variables }, stdio: 'inherit' });
    const stop = (): boolean => child.kill('SIGTERM');
    signal.addEventListener('abort', stop);
    process.on('SIGTERM', stop);
    await new Promise<void>((done, fail) => {
      child.once('error', fail);
      child.once('exit', () => done());
    }).finally(() => {
      signal.removeEventListener('abort', stop);
      process.off('SIGTERM', stop);
    });
  } finally {
    for (const name of ignored) process.off(name, doNothing);
  }
}

const LOOK_EVERY_MS = 250;

/** The session survives a lost connection: this function returns only when the session's program has ended. */
async function openTmux(session: TerminalSession): Promise<void> {
  const { command, args, folder, env, variables, signal, note } = session;
  // tmux does not allow these characters in names.
  const name = session.name.replaceAll(/[.:]/g, '_');
  const tmux = (...words: string[]): string => tryTmux(words, env);
  const settings = Object.entries({ ...variables, PATH: env['PATH'] ?? '' }).map(([key, value]) => `${key}=${value}`);
  // Only one process at a time is attached to a task, so an existing session with this name is left over from a killed
  // process.
  tmux('kill-session', '-t', `=${name}`);
  const created = ['new-session', '-d', '-s', name, '-c', folder, 'env', ...settings, command, ...args];
  execFileSync('tmux', created, { env: { ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
  const end = (): string => tmux('kill-session', '-t', `=${name}`);
  signal.addEventListener('abort', end);
  process.on('SIGTERM', end);
  let isHungUp = false;
  const hangUp = (): void => {
    isHungUp = true;
  };
  process.on('SIGHUP', hangUp);
  try {
    const client = { ...session, signal: new AbortController().signal };
    await runHere({ ...client, folder: '/' }, 'tmux', ['attach-session', '-t', `=${name}`]);
    if (!isHungUp && isOpen(tmux, name))
      note(`Detached; the session continues. Return to it with: tmux attach -t ${name}`);
    process.on('SIGINT', end);
    while (isOpen(tmux, name)) await delay(LOOK_EVERY_MS);
    end();
  } finally {
    signal.removeEventListener('abort', end);
    process.off('SIGTERM', end);
    process.off('SIGINT', end);
    process.off('SIGHUP', hangUp);
  }
}

/** Returns whether the program still runs. A user's setting can keep a window open after its program has ended. */
function isOpen(tmux: (...words: string[]) => string, name: string): boolean {
  return tmux('list-panes', '-s', '-t', `=${name}`, '-F', '#{pane_dead}').split('\n').includes('0');
}

/** Returns the output; empty if there is no such session. */
function tryTmux(words: readonly string[], env: TerminalSession['env']): string {
  try {
    return execFileSync('tmux', words, { env: { ...env }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}

function doNothing(): void {}
