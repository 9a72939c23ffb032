import { join } from 'node:path';
import { syncFolder } from '@holdfast/base';

import { gitText, runGit } from '@holdfast/git';

import { type Attributes, ATTRIBUTES } from '../model/git/attributes.ts';
import type { Repository } from './git-repository.ts';

export async function readAttributes(
  { root }: Repository,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Attributes>> {
  const found = new Map<string, Attributes>();
  if (paths.length === 0) return found;
  const input = paths.map((path) => `${path}\0`).join('');
  const output = await gitText(['check-attr', '-z', '--stdin', ...ATTRIBUTES], { folder: root, input });
  const fields = output.split('\0');
  // Output: path, name and value of each attribute in turn.
  const step = 3 * ATTRIBUTES.length;
  for (let at = 0; at + step <= fields.length; at += step) {
    const value = (nth: number): string => fields[at + 3 * nth + 2] ?? 'unspecified';
    found.set(fields[at] ?? '', {
      text: value(0),
      eol: value(1),
      filter: value(2),
      ident: value(3),
      encoding: value(4),
    });
  }
  return found;
}

/** Returns whether git converts line ends by default. */
export async function isAutoCrlf(folder: string): Promise<boolean> {
  const { stdout } = await runGit(['config', '--get', 'core.autocrlf'], { folder, expected: [1] });
  return /^(true|input)$/i.test(stdout.toString('utf8').trim());
}

/** Stores content as git would for this path, and returns its id. */
export async function storeConverted(
  { root, commonDir }: Repository,
  path: string,
  bytes: Uint8Array,
): Promise<string> {
  const args = ['hash-object', '-w', '--stdin', `--path=${path}`];
  const oid = (await gitText(args, { folder: root, input: bytes })).trim();
  await syncFolder(join(commonDir, 'objects', oid.slice(0, 2))).catch((error: unknown) => {
    // The object is already in a pack.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
  return oid;
}
