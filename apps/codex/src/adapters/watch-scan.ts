import { type Dirent, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { MEBIBYTE } from '@holdfast/base';

import type { DiskState } from '../model/operation.ts';
import { observedPath } from '../model/path.ts';
import type { IgnoreRules } from '../model/ignore-rules.ts';
import { type DeviceOf, deviceOf } from './notebook-folder.ts';
import { stateOf } from './tree.ts';

interface Skipped {
  readonly path: string;
  readonly reason: string;
}

/** Files and folders below a folder, without following links. */
export interface Scan {
  readonly files: ReadonlyMap<string, DiskState>;
  readonly folders: ReadonlySet<string>;
  /** Folders on another device than their parent. */
  readonly disks: readonly string[];
  readonly skipped: readonly Skipped[];
}

const IGNORE_FILE = '.gitignore';
const IGNORE_FILE_MAX = MEBIBYTE;
const ENTRIES_AT_ONCE = 256;

/** Returns the state of one path; undefined if it is missing or below something that is not a folder. */
export function stateOnDisk(root: string, path: string): DiskState | undefined {
  try {
    const found = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false });
    return found === undefined ? undefined : stateOf(found);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR' || code === 'ENOENT' || code === 'ELOOP') return undefined;
    throw error;
  }
}

interface ScanOptions {
  readonly deviceOf?: DeviceOf | undefined;
  /** Called with the number of entries that were scanned so far. */
  readonly onSeen?: (count: number) => void;
}

/** Scans everything below the root, adding `.gitignore` rules as it finds them. */
export async function scanTree(root: string, rules: IgnoreRules, options: ScanOptions = {}): Promise<Scan> {
  const { deviceOf: deviceAt = deviceOf, onSeen } = options;
  const files = new Map<string, DiskState>();
  const folders = new Set<string>();
  const disks: string[] = [];
  const skipped: Skipped[] = [];
  const open = [''];
  let seen = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const device = deviceAt(join(root, folder));
    const entries = entriesOf(root, folder);
    if (entries.some(({ name }) => name === IGNORE_FILE)) addRules(root, folder, rules);
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const reason = refusal(entry, path, rules);
      if (reason !== undefined) {
        if (reason !== '') skipped.push({ path, reason });
      } else if (entry.isDirectory()) {
        folders.add(path);
        open.push(path);
        if (deviceAt(join(root, path)) !== device) disks.push(path);
      } else {
        const state = stateOnDisk(root, path);
        if (state !== undefined) files.set(path, state);
      }
      seen += 1;
      if (seen % ENTRIES_AT_ONCE === 0) {
        onSeen?.(seen);
        await new Promise((resume) => setImmediate(resume));
      }
    }
  }
  return { files, folders, disks, skipped };
}

/** Returns the entries of a folder that a notebook may hold. */
export function scanFolder(root: string, folder: string, rules: IgnoreRules): string[] {
  return entriesOf(root, folder).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return refusal(entry, path, rules) === undefined ? [path] : [];
  });
}

/** Returns why an entry is skipped, '' if users need no reason, or undefined if it is not skipped. */
function refusal(entry: Dirent, path: string, rules: IgnoreRules): string | undefined {
  if (entry.name === '.git' || entry.name === '.codex') return '';
  const observed = observedPath(path);
  if ('reason' in observed) return observed.reason;
  if (entry.isSymbolicLink()) return 'is a symbolic link';
  if (!entry.isDirectory() && !entry.isFile()) return 'is neither a file nor a folder';
  return rules.reason(path, entry.isDirectory());
}

function entriesOf(root: string, folder: string): Dirent[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // If the folder is gone or was replaced, the watcher reports that separately.
    if (folder !== '' && (code === 'ENOENT' || code === 'ENOTDIR')) return [];
    throw error;
  }
}

function addRules(root: string, folder: string, rules: IgnoreRules): void {
  const place = join(root, folder, IGNORE_FILE);
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found?.isFile() === true && found.size <= IGNORE_FILE_MAX) rules.add(folder, readFileSync(place, 'utf8'));
}
