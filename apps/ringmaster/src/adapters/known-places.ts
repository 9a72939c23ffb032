import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import { ringmasterErrors } from '../model/errors.ts';
import { writeAtomically } from './files.ts';

/** A directory whose state the server may show. */
export interface KnownPlace {
  /** Short, for addresses: it says nothing about where the directory is. */
  readonly id: string;
  readonly root: string;
}

const ID_LENGTH = 12;

/**
 * State lies in the directories of projects, so somebody has to tell the server which there are: `ringmaster init` notes
 * each one here. A directory that is not listed cannot be asked for.
 */
export function knownPlaces(home: string): readonly KnownPlace[] {
  return readRoots(home)
    .filter((root) => existsSync(join(root, '.ringmaster')) || existsSync(join(root, 'ringmaster.toml')))
    .map((root) => ({ id: placeId(root), root }));
}

export function notePlace(home: string, root: string): void {
  const real = realpathSync(root);
  const roots = readRoots(home);
  if (roots.includes(real)) return;
  writeAtomically(listPath(home), `${JSON.stringify({ places: [...roots, real].sort() }, null, 2)}\n`);
}

function listPath(home: string): string {
  return join(home, 'ringmaster.json');
}

function readRoots(home: string): readonly string[] {
  let text: string;
  try {
    text = readFileSync(listPath(home), 'utf8');
  } catch {
    return [];
  }
  const listed = parsed(text);
  if (!Array.isArray(listed) || !listed.every((root) => typeof root === 'string')) {
    throw ringmasterErrors.FILE_UNREADABLE(`${listPath(home)} is no list of places`, {
      hint: 'It has the form {"places": ["/a/directory"]}. Delete it, and run "ringmaster init" in each project again.',
    });
  }
  return listed;
}

function parsed(text: string): unknown {
  try {
    return (JSON.parse(text) as { readonly places?: unknown }).places;
  } catch {
    return undefined;
  }
}

function placeId(root: string): string {
  return createHash('sha256').update(root).digest('hex').slice(0, ID_LENGTH);
}
