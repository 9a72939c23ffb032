import type { DeviceOf } from '../adapters/devices.ts';
import type { Notebook } from '../model/notebook.ts';
import { dropDisk, knownDisks, putDisk } from '../store/disks.ts';
import type { Store } from '../store/open.ts';
import { awayDisks, isDisk } from './away-disks.ts';

/** Remembers which folders are disks, before anything in them is taken over. Gives those that are away. */
export async function noteDisks(
  store: Store,
  notebook: Notebook,
  mounted: readonly string[],
  { deviceOf, withoutDisks }: { readonly deviceOf: DeviceOf; readonly withoutDisks: boolean },
): Promise<readonly string[]> {
  const away = withoutDisks ? [] : awayDisks(store.reader, notebook, deviceOf);
  const kept = new Set([...mounted, ...away]);
  const known = new Set(knownDisks(store.reader, notebook.id));
  const outdated = [...known].filter((path) => !kept.has(path) && !isDisk(notebook.path, path, deviceOf));
  const found = mounted.filter((path) => !known.has(path));
  if (outdated.length + found.length === 0) return away;
  await store.write('codex disks', (tx) => {
    for (const path of found) putDisk(tx, notebook.id, path);
    for (const path of outdated) dropDisk(tx, notebook.id, path);
  });
  return away;
}
