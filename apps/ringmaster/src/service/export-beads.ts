import { join, resolve } from 'node:path';
import { writeFileDurablySync } from '@holdfast/base';

import { taskToLine, taskToSimpleLine } from '../model/beads/from-task.ts';
import { issueKey } from '../model/beads/line.ts';
import { exportLinks, exportRows, keptLines } from '../store/beads.ts';
import { chosenProject } from '../store/projects.ts';
import type { Ringmaster } from './ringmaster.ts';

export interface ExportOptions {
  readonly project?: string | undefined;
  readonly simple?: boolean | undefined;
}

/** Returns the whole project as a Beads file: header, issues in the order of their ids, memories. */
export function beadsText(rm: Ringmaster, { project, simple = false }: ExportOptions): string {
  const snapshot = rm.store.database.snapshot();
  try {
    const tx = snapshot.connection;
    const { id } = chosenProject(tx, project);
    const links = exportLinks(tx, id);
    const kept = keptLines(tx, id);
    const keptKeys = new Set(kept.map(({ key }) => key));
    // A task that was deleted in Beads already has its tombstone line.
    const rows = exportRows(tx, id).filter((row) => row.archived_at === null || !keptKeys.has(issueKey(row.id)));
    const keyed = rows.map((row) => {
      const { line, worker_id, ...task } = row;
      const input = { task, worker: worker_id, links: links.get(row.id) ?? [], original: line ?? undefined };
      return { key: issueKey(row.id), line: simple ? taskToSimpleLine(input) : taskToLine(input) };
    });
    const all = simple ? keyed : [...keyed, ...kept];
    all.sort((left, right) => (left.key < right.key ? -1 : 1));
    return all.map(({ line }) => `${line}\n`).join('');
  } finally {
    snapshot.release();
  }
}

export function exportBeads(
  rm: Ringmaster,
  options: ExportOptions & { readonly path?: string | undefined },
): { readonly path: string; readonly lines: number } {
  const path =
    options.path === undefined ? join(rm.workspace.filesPath, 'exports', 'beads.jsonl') : resolve(options.path);
  const text = beadsText(rm, options);
  writeFileDurablySync(path, text);
  return { path, lines: text === '' ? 0 : text.split('\n').length - 1 };
}
