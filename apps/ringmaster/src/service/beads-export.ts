import { join, resolve } from 'node:path';

import { writeFileDurably } from '@holdfast/base';

import { taskToLine, taskToSimpleLine } from '../model/beads/from-task.ts';
import * as store from '../store/beads.ts';
import type { Tx } from '../store/open.ts';
import { chosenProject } from '../store/projects.ts';
import type { Ringmaster } from './ringmaster.ts';

export interface ExportOptions {
  readonly project?: string | undefined;
  readonly simple?: boolean | undefined;
}

const CHUNK = 100;

/** Yields the lines of a Beads file: imported lines in the order of their files, then tasks created in ringmaster. */
function* beadsLines(tx: Tx, project: string, simple: boolean): Generator<readonly string[]> {
  const order = store.exportOrder(tx, project).filter((item) => !simple || item.startsWith('t '));
  for (let start = 0; start < order.length; start += CHUNK) {
    const chunk = order.slice(start, start + CHUNK);
    const ids = chunk.flatMap((item) => (item.startsWith('t ') ? item.slice(2) : []));
    const links = store.exportLinks(tx, ids);
    const rows = new Map(store.exportRows(tx, ids).map((row) => [row.id, row]));
    yield chunk.flatMap((item) => {
      const name = item.slice(2);
      if (item.startsWith('l ')) return store.storedLine(tx, project, name) ?? [];
      const row = rows.get(name);
      if (row === undefined || (simple && row.deleted_at !== null)) return [];
      const { line, worker_id: worker, deleted_at: deletedAt, ...task } = row;
      const input = { task, worker, deletedAt, links: links.get(name) ?? [], original: line ?? undefined };
      return simple ? taskToSimpleLine(input) : taskToLine(input);
    });
  }
}

/** Calls `use` with the lines, which are read from one snapshot. */
async function withLines<T>(
  rm: Ringmaster,
  { project, simple = false }: ExportOptions,
  use: (chunks: Iterable<readonly string[]>) => Promise<T> | T,
): Promise<T> {
  const snapshot = rm.store.database.snapshot();
  try {
    const { id } = chosenProject(snapshot.connection, project);
    return await use(beadsLines(snapshot.connection, id, simple));
  } finally {
    snapshot.release();
  }
}

export function exportBeads(
  rm: Ringmaster,
  options: ExportOptions & { readonly path?: string | undefined },
): Promise<{ readonly path: string; readonly lines: number }> {
  const path =
    options.path === undefined ? join(rm.workspace.filesPath, 'exports', 'beads.jsonl') : resolve(options.path);
  return withLines(rm, options, async (chunks) => {
    let lines = 0;
    const pieces = function* (): Generator<string> {
      for (const chunk of chunks) {
        lines += chunk.length;
        yield chunk.map((line) => `${line}\n`).join('');
      }
    };
    await writeFileDurably(path, pieces());
    return { path, lines };
  });
}
