import { looksSame } from '../adapters/file-content.ts';
import type { Scan } from '../adapters/watch-scan.ts';
import type { Notebook } from '../model/notebook.ts';
import type { Tx } from '../store/open.ts';
import { knownFilesBelow, knownFolders } from '../store/watch-index.ts';
import { isHidden } from './away-disks.ts';

/** Paths at which the folder looks different from what the index knows. Each has to be looked at, no more is said. */
export function differences(tx: Tx, notebook: Notebook, scan: Scan, away: readonly string[]): readonly string[] {
  const files = knownFilesBelow(tx, notebook.id, '');
  const known = new Map(files.map((file) => [file.path, file]));
  const differing: string[] = [];
  for (const [path, state] of scan.files) {
    const file = known.get(path);
    if (file === undefined || !looksSame(state, file)) differing.push(path);
  }
  // What the rules hide is still the notebook's when it holds it; a look at each tells.
  for (const { path } of files) if (!scan.files.has(path)) differing.push(path);
  const folders = new Set(knownFolders(tx, notebook.id));
  for (const folder of scan.folders) if (!folders.has(folder)) differing.push(folder);
  for (const folder of folders) if (!scan.folders.has(folder)) differing.push(folder);
  return away.length === 0 ? differing : differing.filter((path) => !isHidden(path, !scan.folders.has(path), away));
}
