import { join } from 'node:path';

import type { Caller, Overview } from '@holdfast/operation';

import {
  createDemoFolder,
  type DemoApp,
  demoFolders,
  readDemo,
  removeDemoFolder,
  writeDemo,
} from '../adapters/demo-files.ts';
import type { Folders } from '../adapters/folders.ts';

/** Context for the demo's operations. */
export interface DemoContext {
  readonly home: string;
  /** The demo gets its own folder in the first of these folders. */
  readonly folders: Folders;
  readonly overviews: ReadonlyMap<string, Overview>;
}

interface ShownDemo {
  readonly folder: string | null;
  readonly apps: readonly string[];
}

export function showDemo({ home }: DemoContext): ShownDemo {
  const record = readDemo(home);
  return { folder: record?.folder ?? null, apps: Object.keys(record?.created ?? {}) };
}

/** Creates the demo. Writes the record after each application, so that a demo that failed halfway can be removed. */
export async function createDemo(
  context: DemoContext,
  { apps }: { readonly apps: readonly DemoApp[] },
  caller: Caller,
): Promise<ShownDemo> {
  const { home, folders, overviews } = context;
  const record = createDemoFolder(home, folders.first, apps);
  const created = new Map<string, string>();
  for (const app of apps) {
    const made = await overviews.get(app)?.demo.create(join(record.folder, demoFolders[app]), caller);
    if (made === undefined) continue;
    created.set(app, made);
    writeDemo(home, { ...record, created: Object.fromEntries(created) });
  }
  return showDemo(context);
}

/** Removes the demo. Returns the files that are kept because a person has added or changed them. */
export async function removeDemo(
  { home, overviews }: DemoContext,
  _input: object,
  caller: Caller,
): Promise<{ readonly kept: readonly string[] }> {
  const record = readDemo(home);
  if (record === undefined) return { kept: [] };
  for (const [app, created] of Object.entries(record.created)) await overviews.get(app)?.demo.remove(created, caller);
  return { kept: removeDemoFolder(home, record) };
}
