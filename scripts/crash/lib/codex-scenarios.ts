import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { NotebookPath } from '../../../apps/codex/src/model/path.ts';
import type { SyncOperation } from '../../../apps/codex/src/model/operation.ts';
import type { Request } from '../../../apps/codex/src/service/requests.ts';

export type Tree = Readonly<Record<string, string>>;

/** Requests to notebooks, with known initial files. */
export interface Scenario {
  readonly name: string;
  /** Changes that another program makes before the request and that codex has not noticed. */
  readonly meanwhile?: (folder: string) => void;
  /** Operations completed before the request. */
  readonly before?: readonly Request[];
  /** Queued operations, each requested separately, before a worker starts. */
  readonly queued?: readonly Request[];
  /** True if the queued operations were started and then postponed, as on a full disk. */
  readonly isRetried?: boolean;
  readonly requests: readonly Request[];
  /** Expected error code. */
  readonly refused?: string;
  readonly isBatch?: boolean;
  readonly syncs?: readonly SyncOperation[];
  /** Initial files in addition to the common ones. */
  readonly start?: Tree;
  readonly end: Tree;
}

const path = (text: string): NotebookPath => text as NotebookPath;
const bytes = (text: string): Uint8Array => Buffer.from(text);
const sync = (text: string, from?: string): SyncOperation => ({
  type: 'sync',
  path: path(text),
  event: 'look',
  ...(from === undefined ? {} : { from: path(from) }),
});

/** Too long for an event row. */
const LONG = 'long '.repeat(4_000);

/** Initial files of every notebook. */
export const seedTree: Tree = { 'keep.md': 'kept', 'd/a.md': 'in a', 'd/e/b.md': 'in b', 'u.md': 'old' };

const without = (...gone: readonly string[]): Tree =>
  Object.fromEntries(Object.entries(seedTree).filter(([name]) => !gone.includes(name)));

/** Number of the delete event in the undo scenario, after the events of four creates. */
const DELETE_EVENT = 5;

export const scenarios: readonly Scenario[] = [
  {
    name: 'create',
    requests: [{ type: 'create', path: path('n.md'), content: bytes('new'), metadata: { title: 'New' } }],
    end: { ...seedTree, 'n.md': '---\ntitle: New\n---\nnew' },
  },
  {
    name: 'create-long',
    requests: [{ type: 'create', path: path('x/y/n.md'), content: bytes(LONG) }],
    end: { ...seedTree, 'x/y/n.md': LONG },
  },
  {
    name: 'update',
    requests: [{ type: 'update', file: { path: path('u.md') }, content: bytes('updated') }],
    end: { ...seedTree, 'u.md': 'updated' },
  },
  {
    name: 'update-foreign',
    meanwhile: (folder) => writeFileSync(join(folder, 'u.md'), 'theirs'),
    requests: [{ type: 'update', file: { path: path('u.md') }, content: bytes(LONG) }],
    start: { ...seedTree, 'u.md': 'theirs' },
    end: { ...seedTree, 'u.md': LONG, [`u.conflict-${DELETE_EVENT}.md`]: 'theirs' },
  },
  {
    name: 'update-retried',
    queued: [{ type: 'update', file: { path: path('u.md') }, content: bytes(LONG) }],
    isRetried: true,
    requests: [],
    end: { ...seedTree, 'u.md': LONG },
  },
  {
    name: 'create-refused',
    meanwhile: (folder) => writeFileSync(join(folder, 'n.md'), 'theirs'),
    requests: [{ type: 'create', path: path('n.md'), content: bytes(LONG) }],
    refused: 'FILE_EXISTS',
    start: { ...seedTree, 'n.md': 'theirs' },
    end: { ...seedTree, 'n.md': 'theirs' },
  },
  {
    name: 'create-there',
    meanwhile: (folder) => writeFileSync(join(folder, 'n.md'), LONG),
    requests: [{ type: 'create', path: path('n.md'), content: bytes(LONG) }],
    start: { ...seedTree, 'n.md': LONG },
    end: { ...seedTree, 'n.md': LONG },
  },
  {
    name: 'folded',
    queued: [
      { type: 'update', file: { path: path('u.md') }, content: bytes('first') },
      { type: 'create', path: path('n.md'), content: bytes('first') },
      { type: 'update', file: { path: path('u.md') }, content: bytes('second') },
      { type: 'create', path: path('gone.md'), content: bytes(LONG) },
      { type: 'update', file: { path: path('d/a.md') }, content: bytes('not for long') },
      { type: 'update', file: { path: path('n.md') }, content: bytes('second') },
      { type: 'delete', file: { path: path('gone.md') } },
      { type: 'delete', file: { path: path('d/a.md') } },
      { type: 'update', file: { path: path('u.md') }, content: bytes(LONG) },
    ],
    requests: [],
    end: { ...without('d/a.md'), 'u.md': LONG, 'n.md': 'second' },
  },
  {
    name: 'move',
    requests: [{ type: 'move', file: { path: path('u.md') }, dest_path: path('x/v.md') }],
    end: { ...without('u.md'), 'x/v.md': 'old' },
  },
  {
    name: 'move-case',
    requests: [{ type: 'move', file: { path: path('u.md') }, dest_path: path('U.md') }],
    end: { ...without('u.md'), 'U.md': 'old' },
  },
  {
    name: 'move-folder-case',
    requests: [{ type: 'move_folder', path: path('d'), dest_path: path('D') }],
    end: { ...without('d/a.md', 'd/e/b.md'), 'D/a.md': 'in a', 'D/e/b.md': 'in b' },
  },
  {
    name: 'move-folder',
    requests: [{ type: 'move_folder', path: path('d'), dest_path: path('x/f') }],
    end: { ...without('d/a.md', 'd/e/b.md'), 'x/f/a.md': 'in a', 'x/f/e/b.md': 'in b' },
  },
  {
    name: 'move-linked',
    before: [
      { type: 'create', path: path('l.md'), content: bytes('[[d/a]] and [b](d/e/b.md)') },
      { type: 'create', path: path('long.md'), content: bytes(`[a](d/a.md) ${LONG}`) },
    ],
    requests: [{ type: 'move_folder', path: path('d'), dest_path: path('x/f') }],
    start: { ...seedTree, 'l.md': '[[d/a]] and [b](d/e/b.md)', 'long.md': `[a](d/a.md) ${LONG}` },
    end: {
      ...without('d/a.md', 'd/e/b.md'),
      'x/f/a.md': 'in a',
      'x/f/e/b.md': 'in b',
      'l.md': '[[x/f/a]] and [b](x/f/e/b.md)',
      'long.md': `[a](x/f/a.md) ${LONG}`,
    },
  },
  { name: 'delete', requests: [{ type: 'delete', file: { path: path('u.md') } }], end: without('u.md') },
  { name: 'delete-folder', requests: [{ type: 'delete_folder', path: path('d') }], end: without('d/a.md', 'd/e/b.md') },
  {
    name: 'undelete',
    before: [{ type: 'delete_folder', path: path('d') }],
    requests: [{ type: 'undo_delete', event_id: DELETE_EVENT }],
    start: without('d/a.md', 'd/e/b.md'),
    end: seedTree,
  },
  {
    name: 'undelete-file',
    before: [{ type: 'delete', file: { path: path('u.md') } }],
    requests: [{ type: 'undo_delete', event_id: DELETE_EVENT }],
    start: without('u.md'),
    end: seedTree,
  },
  { name: 'folder', requests: [{ type: 'create_folder', path: path('x/y') }], end: seedTree },
  {
    name: 'note',
    requests: [{ type: 'update', file: { path: path('u.md') }, metadata: { title: 'T' } }],
    end: { ...seedTree, 'u.md': `---\ntitle: T\n---\n${seedTree['u.md']}` },
  },
  {
    name: 'batch',
    isBatch: true,
    requests: [
      { type: 'create', path: path('n.md'), content: bytes('1') },
      { type: 'move', file: { path: path('n.md') }, dest_path: path('m.md') },
      { type: 'update', file: { path: path('m.md') }, content: bytes('2') },
    ],
    end: { ...seedTree, 'm.md': '2' },
  },
  {
    name: 'sync-changes',
    meanwhile: (folder) => {
      mkdirSync(join(folder, 'x'));
      writeFileSync(join(folder, 'x/n.md'), LONG);
      appendFileSync(join(folder, 'u.md'), ' and more');
      rmSync(join(folder, 'd'), { recursive: true });
    },
    requests: [],
    syncs: [sync('x'), sync('x/n.md'), sync('u.md'), sync('d')],
    start: { ...without('d/a.md', 'd/e/b.md'), 'u.md': 'old and more', 'x/n.md': LONG },
    end: { ...without('d/a.md', 'd/e/b.md'), 'u.md': 'old and more', 'x/n.md': LONG },
  },
  {
    name: 'sync-rename',
    meanwhile: (folder) => {
      renameSync(join(folder, 'd'), join(folder, 'f'));
      renameSync(join(folder, 'u.md'), join(folder, 'v.md'));
    },
    requests: [],
    syncs: [sync('f', 'd'), sync('v.md', 'u.md')],
    start: { 'keep.md': 'kept', 'f/a.md': 'in a', 'f/e/b.md': 'in b', 'v.md': 'old' },
    end: { 'keep.md': 'kept', 'f/a.md': 'in a', 'f/e/b.md': 'in b', 'v.md': 'old' },
  },
];
