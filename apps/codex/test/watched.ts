import { onTestFinished } from 'vitest';

import type { FileEvent } from '../src/model/event.ts';
import type { FileRecord } from '../src/model/notebook.ts';
import { listFiles } from '../src/store/files.ts';
import { NotebookWatcher, type WatcherOptions } from '../src/watch/notebook-watcher.ts';
import { type Harness, type HarnessOptions, openHarness } from './harness.ts';

export interface Watched extends Harness {
  readonly watcher: NotebookWatcher;
  /** The index: path to hash. */
  readonly known: () => Record<string, string>;
  readonly file: (path: string) => FileRecord | undefined;
  readonly events: () => readonly FileEvent[];
  readonly syncEvents: () => number;
  /** Returns whether the queue is empty. */
  readonly isIdle: () => boolean;
}

type WatchedOptions = Pick<WatcherOptions, 'watchTree'>;

/** Opens a notebook with a watcher that is not started yet. */
export async function openWatched(options: HarnessOptions & WatchedOptions = {}): Promise<Watched> {
  const { watchTree, ...rest } = options;
  const harness = await openHarness(rest);
  const { codex, notebook } = harness;
  const { store, settings, deviceOf } = codex;
  const watcher = new NotebookWatcher({
    notebook,
    store,
    settings,
    publish: (to, operations) => codex.publishSync(to, operations),
    now: Date.now,
    deviceOf,
    problems: { report() {}, clear() {} },
    ...(watchTree === undefined ? {} : { watchTree }),
  });
  onTestFinished(() => watcher.close());
  const files = (): FileRecord[] => listFiles(store.reader, notebook.id, { limit: 1_000_000 });
  const count = (where: string): number =>
    store.reader.get<{ n: number }>(`SELECT count(*) AS n FROM file_events WHERE ${where}`)?.n ?? 0;
  return {
    ...harness,
    watcher,
    known: () => Object.fromEntries(files().map(({ path, hash }) => [path, hash])),
    file: (path) => files().find((file) => file.path === path),
    events: () => store.reader.all<FileEvent>('SELECT * FROM file_events ORDER BY id'),
    syncEvents: () => count("event_type = 'sync'"),
    isIdle: () => count("status IN ('pending', 'processing')") === 0,
  };
}
