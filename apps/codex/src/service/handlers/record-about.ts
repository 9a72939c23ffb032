import { contentTypeOf } from '../../model/content-type.ts';
import { aboutOf, indexedAs, NO_FACTS, type NoteFacts, withAbout } from '../../model/note/facts.ts';
import type { Properties } from '../../model/note/parse-note.ts';
import { isSidecar, sidecarsOf, targetOf } from '../../model/note/sidecar.ts';
import { nameOf, type NotebookPath } from '../../model/path.ts';
import { fileAt, fileById, putAbout } from '../../store/files.ts';
import type { Tx } from '../../store/open.ts';
import type { Work } from './handler.ts';

/** Uses the metadata of the sidecar, if there is one. */
export function factsBeside(tx: Tx, notebookId: number, path: NotebookPath, facts: NoteFacts): NoteFacts {
  for (const sidecar of sidecarsOf(path)) {
    const row = fileAt(tx, notebookId, sidecar);
    if (row !== undefined) return withAbout(facts, aboutOf(JSON.parse(row.properties) as Properties));
  }
  return facts;
}

/** Updates a file after its sidecar was added, changed or removed. */
export function refreshTarget(tx: Tx, work: Work, sidecar: NotebookPath, now: string): void {
  const path = targetOf(sidecar);
  const row = path === undefined ? undefined : fileAt(tx, work.notebook.id, path);
  if (path !== undefined && row !== undefined) refreshAbout(tx, work, row.id, path, now);
}

/** Updates metadata after a file moved. A moved folder takes its sidecars with it. */
export function recordMoved(tx: Tx, work: Work, id: string, from: NotebookPath, now: string): void {
  const row = fileById(tx, id);
  if (row === undefined) return;
  const path = row.path as NotebookPath;
  const isOtherKind = contentTypeOf(from) !== contentTypeOf(path) || isSidecar(from) !== isSidecar(path);
  const mayDiffer = row.properties !== '{}' || sidecarsOf(path).some((each) => fileAt(tx, work.notebook.id, each));
  if (sidecarsOf(path).length > 0 && mayDiffer) refreshAbout(tx, work, id, path, now);
  else work.notes.push({ kind: 'about', fileId: id, name: indexedAs(path, NO_FACTS).name, eventId: row.last_event_id });
  if (isOtherKind) work.notes.push({ kind: 'stale', fileId: id });
  refreshTarget(tx, work, from, now);
  refreshTarget(tx, work, path, now);
}

function refreshAbout(tx: Tx, work: Work, fileId: string, path: NotebookPath, now: string): void {
  const facts = factsBeside(tx, work.notebook.id, path, NO_FACTS);
  putAbout(tx, fileId, facts, work.event.id, now);
  work.notes.push({ kind: 'about', fileId, name: nameOf(path), eventId: work.event.id, facts });
}
