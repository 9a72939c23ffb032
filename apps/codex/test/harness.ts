import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import type { FileEvent } from '../src/model/event.ts';
import type { Notebook } from '../src/model/notebook.ts';
import { notebookPath } from '../src/model/path.ts';
import { type Settings, settingsFrom } from '../src/model/settings.ts';
import { type Engine, openEngine } from '../src/service/engine.ts';
import { addNotebook } from '../src/service/notebooks.ts';
import type { Request } from '../src/service/requests.ts';

export const WAIT_MS = 60_000;

export interface Harness {
  readonly engine: Engine;
  readonly notebook: Notebook;
  readonly home: string;
  /** Publishes one request and waits for its end. */
  readonly run: (request: Request, author?: string) => Promise<FileEvent>;
  readonly create: (path: string, content: string) => Promise<FileEvent>;
  readonly read: (path: string) => string;
  /** All files of the notebook by path, without our own and git's. */
  readonly tree: () => Record<string, string>;
}

export interface HarnessOptions {
  readonly settings?: Partial<Settings>;
  readonly clock?: () => number;
  readonly random?: () => number;
}

export function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'holdfast-codex-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

export async function openHarness(options: HarnessOptions = {}): Promise<Harness> {
  const home = temporaryHome();
  const { settings = {}, ...rest } = options;
  const engine = await openEngine({
    home,
    databasePath: join(home, 'codex.db'),
    // Whoever tests the watcher starts one; others must not be told of what they have just done themselves.
    settings: { ...settingsFrom({}), watch: false, ...settings },
    ...rest,
  });
  onTestFinished(() => engine.close());
  const notebook = await addNotebook(engine.codex, { name: 'notes' });
  const run = async (request: Request, author = 'Ada'): Promise<FileEvent> => {
    const [event] = await engine.run({ notebookId: notebook.id, author, requests: [request] }, WAIT_MS);
    if (event === undefined) throw new Error('the event is gone');
    return event;
  };
  return {
    engine,
    notebook,
    home,
    run,
    create: (path, content) => run({ type: 'create', path: notebookPath(path), content: Buffer.from(content) }),
    read: (path) => readFileSync(join(notebook.path, path), 'utf8'),
    tree: () => treeOf(notebook.path),
  };
}

export function treeOf(root: string, folder = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(root, folder)).toSorted()) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (path === '.git' || path === '.codex') continue;
    if (statSync(join(root, path)).isDirectory()) Object.assign(found, treeOf(root, path));
    else found[path] = readFileSync(join(root, path), 'utf8');
  }
  return found;
}
