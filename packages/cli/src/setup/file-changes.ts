/** Changes to other programs' settings files: planned first, then written or only shown. */
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { writeFileDurablySync } from '@holdfast/base';

import { commandLineErrors } from '../errors.ts';
import type { Page } from '../output/page.ts';

export interface PlannedFile {
  readonly path: string;
  readonly before: string | undefined;
  /** The new content; empty if the file is deleted or not created. */
  readonly after: string;
  readonly change: 'create' | 'update' | 'delete' | 'none';
}

/** `edit` returns the new content; it throws for a file that cannot be parsed. */
export function planFile(path: string, edit: (text: string) => string): PlannedFile {
  const before = withSetupError(path, () => (existsSync(path) ? readFileSync(path, 'utf8') : undefined));
  const after = edit(before ?? '');
  return { path, before, after, change: kindOf(before, after) };
}

function kindOf(before: string | undefined, after: string): PlannedFile['change'] {
  if (after === (before ?? '')) return 'none';
  if (before === undefined) return 'create';
  return after === '' ? 'delete' : 'update';
}

export function writeFiles(files: readonly PlannedFile[]): void {
  for (const { path, after, change } of files) if (change !== 'none') replaceText(path, after);
}

/** Names each changed file; with `dryRun`, also shows the changed lines. */
export function showFiles(page: Page, files: readonly PlannedFile[], { dryRun }: { readonly dryRun: boolean }): void {
  const verbs = dryRun
    ? { create: 'Would create', update: 'Would change', delete: 'Would delete' }
    : { create: 'Created', update: 'Changed', delete: 'Deleted' };
  for (const file of files) {
    if (file.change === 'none') continue;
    page.line(`${verbs[file.change]} ${file.path}`);
    if (dryRun) page.lines(difference(file.before ?? '', file.after));
  }
}

/** Returns the lines from the first to the last difference. */
function difference(before: string, after: string): readonly string[] {
  const [old, next] = [before, after].map((text) => text.split('\n')) as [string[], string[]];
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) start++;
  let end = 0;
  while (end < old.length - start && end < next.length - start && old.at(-1 - end) === next.at(-1 - end)) end++;
  return [
    ...old.slice(start, old.length - end).map((line) => `  - ${line}`),
    ...next.slice(start, next.length - end).map((line) => `  + ${line}`),
  ].filter((line) => line.length > '  + '.length);
}

/** Replaces the file, or deletes it if the text is empty. Writes to the target of a symbolic link. */
function replaceText(path: string, text: string): void {
  withSetupError(path, () => {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true && existsSync(path);
    if (text === '' && !isLink) rmSync(path, { force: true });
    else replaceFile(isLink ? realpathSync(path) : path, text);
  });
}

/** Keeps the permissions of an existing file. A new file is not private, so it gets the default permissions. */
function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const { mode = 0o666 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  writeFileDurablySync(path, text, mode & 0o777);
}

export function withSetupError<T>(path: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw commandLineErrors.SETUP_FILE_UNREADABLE(`${path} cannot be read or written: ${reason}`, { cause: error });
  }
}
