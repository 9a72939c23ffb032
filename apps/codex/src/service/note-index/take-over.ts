import type { NoteChange } from '../../model/note/change.ts';
import { type About, indexedAs, NO_FACTS, type NoteFacts } from '../../model/note/facts.ts';
import type { Properties } from '../../model/note/parse-note.ts';
import { targetOf } from '../../model/note/sidecar.ts';
import { tagsOf } from '../../model/note/tags.ts';
import type { FileRecord } from '../../model/notebook.ts';
import type { NotebookPath } from '../../model/path.ts';
import { fileAt, fileById, setAbout } from '../../store/files.ts';
import { putNotes } from '../../store/notes/put-notes.ts';
import type { CheckedFile } from '../../store/notes/stale-notes.ts';
import type { Tx } from '../../store/open.ts';
import type { CodexContext } from '../context.ts';
import { factsBeside } from '../handlers/record-about.ts';

export interface ReadNote {
  readonly file: CheckedFile;
  readonly facts: NoteFacts;
}

/** Indexes these files in one commit, except those that changed meanwhile. Returns the number indexed. */
export async function takeOver(codex: CodexContext, notebookId: number, notes: readonly ReadNote[]): Promise<number> {
  let changes: NoteChange[] = [];
  const recorded = codex.store.write('codex index', (tx) => {
    changes = notes.flatMap((note) => learn(tx, notebookId, note));
  });
  const indexed = codex.store.derive((tx) => putNotes(tx, notebookId, changes));
  await Promise.all([recorded, indexed]);
  return changes.filter(({ kind }) => kind === 'content').length;
}

function learn(tx: Tx, notebookId: number, { file, facts: read }: ReadNote): readonly NoteChange[] {
  const row = fileById(tx, file.id);
  if (row?.hash !== file.hash || row.path !== file.path || row.last_event_id !== file.last_event_id) return [];
  const path = row.path as NotebookPath;
  const beside = factsBeside(tx, notebookId, path, read);
  const facts = file.is_new === 1 ? withKept(row, beside) : beside;
  noteAbout(tx, row, facts);
  const { id: fileId, hash, last_event_id: eventId } = row;
  return [{ kind: 'content', fileId, hash, eventId, ...indexedAs(path, facts) }, ...learnTarget(tx, notebookId, path)];
}

/** The file may have been indexed before its sidecar. */
function learnTarget(tx: Tx, notebookId: number, sidecar: NotebookPath): readonly NoteChange[] {
  const path = targetOf(sidecar);
  const row = path === undefined ? undefined : fileAt(tx, notebookId, path);
  if (path === undefined || row === undefined) return [];
  const facts = factsBeside(tx, notebookId, path, NO_FACTS);
  noteAbout(tx, row, facts);
  return [{ kind: 'about', fileId: row.id, eventId: row.last_event_id, ...indexedAs(path, facts) }];
}

/** Metadata that is stored only in the database stays until the file has its own. */
function withKept(row: FileRecord, facts: NoteFacts): NoteFacts {
  const properties = { ...(JSON.parse(row.properties) as Properties), ...facts.properties };
  return {
    ...facts,
    title: facts.title ?? row.title,
    description: facts.description ?? row.description,
    properties,
    tags: tagsOf(properties, facts.tags),
  };
}

function noteAbout(tx: Tx, row: FileRecord, { title, description, properties }: About): void {
  const isSame =
    row.title === title && row.description === description && row.properties === JSON.stringify(properties);
  if (!isSame) setAbout(tx, row.id, { title, description, properties });
}
