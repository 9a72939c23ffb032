import { type CommandContext, commandsFor, type Page, style } from '@holdfast/cli';

import type { Written } from '../operations/fields.ts';
import type { Codex } from '../service/codex.ts';

export const shared = {
  notebook: { type: 'string', summary: 'Name or id of the notebook', short: 'n', value: 'notebook' },
} as const;

export const command = commandsFor<Codex>({
  shared,
  open: async () => (await import('./with-codex.ts')).withCodex,
  caller: ({ env }) => ({ name: authorIn(env) }),
});

/** Returns the author from the environment, with the e-mail address if it is set. */
export function authorIn(env: CommandContext['env']): string {
  const name = ['GIT_AUTHOR_NAME', 'USER', 'LOGNAME'].map((key) => env[key] ?? '').find((each) => each !== '');
  const email = env['GIT_AUTHOR_EMAIL'];
  if (name === undefined) return 'unknown';
  return email === undefined ? name : `${name} <${email}>`;
}

const WAIT_SECONDS = 60;
export const waiting = { wait: WAIT_SECONDS } as const;

export function printQueued({ event_id, status, path, conflict_path }: Written, page: Page): void {
  page.line(style.dim(String(event_id)), ` ${path ?? ''} `, style.dim(status));
  if (conflict_path !== undefined) {
    page.line(`Another program had changed the file; its version is kept as ${conflict_path}`);
  }
  if (!isDone(status)) page.line(`Not finished yet. Wait for it with: holdfast notebooks events wait ${event_id}`);
}

function isDone(status: string): boolean {
  return status !== 'pending' && status !== 'processing';
}

/** A command whose operation did not finish in time exits with 1, as after any other timeout. */
export function exitCode({ status }: Written): 1 | undefined {
  return isDone(status) ? undefined : 1;
}

export function printMore(cursor: string | null, page: Page): void {
  if (cursor !== null) page.line(style.dim(`More: add --cursor ${cursor}`));
}
