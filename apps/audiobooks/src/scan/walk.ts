import { join } from 'node:path';

import { leadsOutside, listFolder } from '../adapters/list-folder.ts';
import { formatOfName } from '../media/probe.ts';
import { isIgnored } from '../model/names/ignored.ts';
import type { FileProblem } from '../model/scanned.ts';
import { couldBeDisc, type FolderFiles, joined, sortFiles, type Unit, unitsOf } from './units.ts';

/** One result of a walk. Streaming them keeps the tree out of memory. */
export type Walked = { readonly unit: Unit } | { readonly problem: FileProblem };

const DEPTH_MAX = 64;
/** Folders listed ahead, to keep a slow disk busy. */
const AHEAD = 8;

export async function* walk(root: string, start: string): AsyncGenerator<Walked, void> {
  const pending = yield* visit(root, start, [], 0);
  if (pending !== undefined) for (const unit of unitsOf(pending, [], [])) yield { unit };
}

/** Returns a folder that may be a disc of its parent; only the parent can tell. */
async function* visit(
  root: string,
  path: string,
  siblings: readonly string[],
  depth: number,
  listed = listFolder(join(root, path)),
): AsyncGenerator<Walked, FolderFiles | undefined> {
  const { folders, files, links, problem } = await listed;
  if (problem !== undefined) yield { problem: { kind: 'forbidden', path, message: problem } };
  yield* outsideLinks(root, path, links);
  const below = depth >= DEPTH_MAX ? [] : folders.filter((name) => !isIgnored(name));
  const candidates: FolderFiles[] = [];
  const ahead: ReturnType<typeof listFolder>[] = [];
  for (const [index, name] of below.entries()) {
    while (ahead.length < below.length && ahead.length < index + AHEAD) {
      ahead.push(listFolder(join(root, joined(path, below[ahead.length] ?? ''))));
    }
    const pending = yield* visit(root, joined(path, name), below, depth + 1, ahead[index]);
    if (pending !== undefined) candidates.push(pending);
  }
  const own = sortFiles(path, files);
  // A disc folder has no subfolders with audio; with subfolders, it is a separate book.
  if (own.sounds.length > 0 && candidates.length === 0 && path !== '' && couldBeDisc(own.name)) return own;
  for (const unit of unitsOf(own, candidates, siblings)) yield { unit };
  return undefined;
}

async function* outsideLinks(root: string, path: string, links: readonly string[]): AsyncGenerator<Walked, void> {
  for (const name of links) {
    if (isIgnored(name) || !(await leadsOutside(root, join(root, path, name)))) continue;
    const isSound = formatOfName(name) !== undefined;
    const message = `a link that leads out of the library is not followed${isSound ? '' : ', whatever it holds'}`;
    yield { problem: { kind: 'outside', path: joined(path, name), message } };
  }
}
