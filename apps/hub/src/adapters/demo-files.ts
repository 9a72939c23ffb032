import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { readJson, writeFileDurablySync } from '@holdfast/base';
import { httpErrors } from '@holdfast/http';

import { demoBook } from '../model/demo-audio.ts';

/** Files and records of the demo. Removing the demo removes nothing else. */
export interface DemoRecord {
  readonly folder: string;
  /** Ids of the records that each application created. */
  readonly created: Readonly<Record<string, string>>;
  /** Hashes of the example files, by path below `folder`. */
  readonly files: Readonly<Record<string, string>>;
}

const NAME = 'Holdfast demo';
const recordPath = (home: string): string => join(home, 'demo.json');

/** Each application's folder below the demo's folder. */
export const demoFolders = {
  np: 'Plan',
  utask: 'Tasks',
  codex: 'Notebook',
  audiobooks: 'Audiobooks',
  ringmaster: 'Tree house',
} as const;
export type DemoApp = keyof typeof demoFolders;

const exampleFiles = (): Readonly<Record<string, string | Buffer>> => ({
  'Notebook/Welcome.md':
    '# Welcome\n\nThis notebook is a folder with plain files. Read [[Lake]] next.\n\n- [ ] Tick this box\n- [ ] Rename this note\n',
  'Notebook/Lake.md': '# Lake\n\nA good place for a weekend. #travel\n\nBack to [[Welcome]].\n',
  'Audiobooks/Holdfast/First steps/First steps.flac': demoBook({
    TITLE: 'First steps',
    ALBUM: 'First steps',
    ARTIST: 'Holdfast',
  }),
});

/** Folders and files that the applications create in their folders. */
const OWN =
  /^(?:Notebook\/\.(?:git|codex)|Notebook\/\.gitignore|Tree house\/(?:\.ringmaster|ringmaster\.toml))(?:\/|$)/u;

export function readDemo(home: string): DemoRecord | undefined {
  return existsSync(recordPath(home)) ? (readJson(recordPath(home)) as DemoRecord) : undefined;
}

export function writeDemo(home: string, record: DemoRecord): void {
  writeFileDurablySync(recordPath(home), `${JSON.stringify(record, null, 2)}\n`);
}

/** Creates a new folder with the example files of the chosen applications. */
export function createDemoFolder(home: string, root: string | undefined, apps: readonly DemoApp[]): DemoRecord {
  if (root === undefined)
    throw httpErrors.FOLDER_NOT_OFFERED('The server has no folder in which it may create the demo');
  const folder = join(realpathSync(root), NAME);
  if (readDemo(home) !== undefined) throw httpErrors.DEMO_EXISTS('The demo already exists');
  if (existsSync(folder)) throw httpErrors.DEMO_EXISTS(`The folder ${folder} already exists`);
  const wanted = Object.entries(exampleFiles()).filter(([path]) =>
    apps.some((app) => path.startsWith(demoFolders[app])),
  );
  const files = Object.fromEntries(wanted.map(([path, content]) => [path, hashOf(content)]));
  const record = { folder, created: {}, files };
  // Writes the record first, so that the demo can be removed completely even if the process dies now.
  writeDemo(home, record);
  for (const app of apps) mkdirSync(join(folder, demoFolders[app]), { recursive: true });
  for (const [path, content] of wanted) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return record;
}

/** Deletes the folder of each application, unless a person has added or changed files in it. Returns the kept files. */
export function removeDemoFolder(home: string, { folder, files }: DemoRecord): readonly string[] {
  const kept: string[] = [];
  for (const name of Object.values(demoFolders)) {
    const theirs = filesBelow(join(folder, name))
      .map((path) => relative(folder, path))
      .filter((path) => !OWN.test(path) && !(Object.hasOwn(files, path) && files[path] === hashAt(join(folder, path))));
    kept.push(...theirs);
    if (theirs.length === 0) rmSync(join(folder, name), { recursive: true, force: true });
  }
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  rmSync(recordPath(home), { force: true });
  return kept.map((path) => join(folder, path));
}

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}

function hashAt(path: string): string {
  return hashOf(readFileSync(path));
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
