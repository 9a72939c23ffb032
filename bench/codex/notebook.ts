import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Notebook } from '../../apps/codex/src/model/notebook.ts';
import { type Settings, settingsFrom } from '../../apps/codex/src/model/settings.ts';
import { type Codex, openCodex } from '../../apps/codex/src/service/codex.ts';
import { addNotebook } from '../../apps/codex/src/service/notebooks.ts';

export interface Opened {
  readonly codex: Codex;
  readonly notebook: Notebook;
}

export const WAIT_MS = 600_000;

/** A separate notebook, without watcher and automatic commits unless requested. */
export async function openNotebook(folder: string, settings: Partial<Settings> = {}): Promise<Opened> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const codex = await openCodex({
    home: folder,
    databasePath: join(folder, 'codex.db'),
    settings: {
      ...settingsFrom({}),
      watch: false,
      max_pending: 100_000,
      git_quiet_interval: 3_600,
      git_commit_interval: 3_600,
      git_commit_max_files: 1_000_000,
      ...settings,
    },
  });
  const notebook = await addNotebook(codex, { name: 'notes' });
  return { codex, notebook };
}

/** About a kilobyte of text, different for each number. */
export function noteText(n: number): Buffer {
  return Buffer.from(`# Note ${n}\n\n${`Something about ${n}. `.repeat(45)}\n`);
}
