import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import type { ImportPause } from '../src/adapters/import-pause.ts';
import type { DeviceOf } from '../src/adapters/notebook-folder.ts';
import type { FileEvent } from '../src/model/event.ts';
import type { Notebook } from '../src/model/notebook.ts';
import { notebookPath } from '../src/model/path.ts';
import { type Settings, settingsFrom } from '../src/model/settings.ts';
import { Codex, openCodex } from '../src/service/codex.ts';
import { registerNotebook } from '../src/service/notebooks.ts';
import type { ProblemListener } from '../src/service/problems.ts';
import type { Request } from '../src/service/requests.ts';
import { treeOf } from './tree-of.ts';

export { treeOf };

export const WAIT_MS = 60_000;

export interface Harness {
  readonly codex: Codex;
  readonly notebook: Notebook;
  readonly home: string;
  /** Publishes one request and waits until it is done. */
  readonly run: (request: Request, author?: string) => Promise<FileEvent>;
  readonly create: (path: string, content: string) => Promise<FileEvent>;
  readonly read: (path: string) => string;
  /** Returns all files of the notebook by path, except those of git and codex. */
  readonly tree: () => Record<string, string>;
}

export interface HarnessOptions {
  readonly settings?: Partial<Settings>;
  readonly clock?: () => number;
  readonly random?: () => number;
  readonly onProblem?: ProblemListener;
  readonly deviceOf?: DeviceOf;
  readonly importPause?: ImportPause;
}

function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'holdfast-codex-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

export async function openHarness(options: HarnessOptions = {}): Promise<Harness> {
  const home = temporaryHome();
  const { settings = {}, ...rest } = options;
  const codex = await openCodex({
    home,
    databasePath: join(home, 'codex.db'),
    // The watcher is off, because it would report the tests' own changes. Tests of the watcher start one themselves.
    settings: { ...settingsFrom({}), watch: false, ...settings },
    processIsEnding: true,
    ...rest,
  });
  onTestFinished(() => codex.close());
  const notebook = await registerNotebook(codex, { name: 'notes' });
  const run = async (request: Request, author = 'Ada'): Promise<FileEvent> => {
    const [event] = await codex.run({ notebookId: notebook.id, author, requests: [request] }, WAIT_MS);
    if (event === undefined) throw new Error('the event is gone');
    return event;
  };
  return {
    codex,
    notebook,
    home,
    run,
    create: (path, content) => run({ type: 'create', path: notebookPath(path), content: Buffer.from(content) }),
    read: (path) => readFileSync(join(notebook.path, path), 'utf8'),
    tree: () => treeOf(notebook.path),
  };
}

/** Opens the same database again, like a second process. */
export async function openSecond(codex: Codex, { isWorking = true } = {}): Promise<Codex> {
  const options = {
    home: codex.home,
    databasePath: codex.store.path,
    settings: codex.settings,
    processIsEnding: true,
  };
  const second = isWorking ? await openCodex(options) : await Codex.open(options);
  onTestFinished(() => second.close());
  return second;
}
