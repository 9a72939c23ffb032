import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';

import { writeFileDurablySync } from '@holdfast/base';

import type { Config } from '../model/config.ts';
import { ringmasterErrors } from '../model/errors.ts';

/** A directory with its own ringmaster state. */
export interface Workspace {
  /** The directory that has ringmaster.toml and .ringmaster. */
  readonly root: string;
  readonly databasePath: string;
  readonly filesPath: string;
}

/** A registered workspace. */
export interface KnownWorkspace {
  /** Short hash of the path, for URLs that do not reveal the path. */
  readonly id: string;
  readonly root: string;
}

const ID_LENGTH = 12;

const WORKTREES = join(sep, '.ringmaster', 'worktrees', sep);

/** Returns the nearest initialised directory: this one or one above it. */
export function findRoot(start: string): string {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (isInitialised(folder)) return folder;
    if (folder === dirname(folder)) {
      throw ringmasterErrors.NOT_INITIALISED(`There is no .ringmaster in ${resolve(start)} or above it`);
    }
  }
}

export function workspaceAt(root: string, { storage }: Config): Workspace {
  const below = (path: string): string => (isAbsolute(path) ? path : join(root, path));
  return { root, databasePath: below(storage.db_path), filesPath: below(storage.files_path) };
}

/**
 * Returns the workspaces that `ringmaster init` has registered. The server cannot search all directories, so it opens
 * only these.
 */
export function knownWorkspaces(home: string): readonly KnownWorkspace[] {
  return readRoots(home)
    .filter(isInitialised)
    .map((root) => ({ id: createHash('sha256').update(root).digest('hex').slice(0, ID_LENGTH), root }));
}

/** Returns the real path of a directory; undefined if there is none at this absolute path. */
export function realDirectory(path: string): string | undefined {
  const isThere = isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return isThere ? realpathSync(path) : undefined;
}

export function registerWorkspace(home: string, root: string): void {
  const real = realpathSync(root);
  const roots = readRoots(home);
  if (roots.includes(real)) return;
  writeFileDurablySync(listPath(home), `${JSON.stringify({ workspaces: [...roots, real].sort() }, null, 2)}\n`);
}

export function unregisterWorkspace(home: string, root: string): void {
  const roots = readRoots(home).filter((known) => known !== root);
  writeFileDurablySync(listPath(home), `${JSON.stringify({ workspaces: roots }, null, 2)}\n`);
}

function isInitialised(folder: string): boolean {
  if (existsSync(join(folder, '.ringmaster'))) return true;
  // If git tracks ringmaster.toml, each attempt's worktree has a copy of it. The worktree is still not a workspace.
  return !folder.includes(WORKTREES) && existsSync(join(folder, 'ringmaster.toml'));
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
    throw ringmasterErrors.FILE_UNREADABLE(`${listPath(home)} is not a list of workspaces`, {
      hint: 'It must look like {"workspaces": ["/a/directory"]}. Delete it, then run "ringmaster init" again in each project.',
    });
  }
  return listed;
}

function parsed(text: string): unknown {
  try {
    return (JSON.parse(text) as { readonly workspaces?: unknown }).workspaces;
  } catch {
    return undefined;
  }
}

const NAME_MAX = 40;

/** Returns the name of this machine without characters that ids must not contain. */
export function machineName(): string {
  const name = (hostname().split('.')[0] ?? '').replaceAll(/[^A-Za-z0-9_-]+/gu, '-').slice(0, NAME_MAX);
  return name === '' ? 'machine' : name;
}

/** Returns a number from 0 up to, but not including, 1. Not cryptographic: callers check new ids for collisions. */
export const systemRandom: () => number = Math.random;
