import { isHoldfastError, MINUTE } from '@holdfast/base';

import { localTime } from '../adapters/local-time.ts';
import { codexErrors } from '../model/errors.ts';
import { nameFromTitle, notePath, numbered, titleOf } from '../model/note-path.ts';
import type { FileRecord, Notebook } from '../model/notebook.ts';
import { notebookPath, type NotebookPath, pathKey } from '../model/path.ts';
import { type LocalTime, onDate, render } from '../model/template.ts';
import { fileAt, filesOfKey } from '../store/files.ts';
import { foldersOfKey } from '../store/folders.ts';
import type { Codex } from './codex.ts';
import { errorOf } from './failed-event.ts';
import { fileOf } from './read-files.ts';
import { optionalText, templateText } from './templates.ts';

const WAIT_MS = MINUTE;
const CHOICES_MAX = 1_000;
const PLAIN = '# {{title}}\n\n';

export interface NewNote {
  readonly template?: string | undefined;
  readonly path?: string | undefined;
  readonly title?: string | undefined;
}

/** A note from a template, under the path that was asked for, or under a free name made from its title. */
export async function createNote(
  codex: Codex,
  notebook: Notebook,
  author: string,
  { template, path, title }: NewNote,
): Promise<FileRecord> {
  const text = template === undefined ? PLAIN : await templateText(codex, notebook, template);
  const at = localTime(codex.clock());
  const write = (target: NotebookPath): Promise<FileRecord> =>
    createFile(codex, notebook, author, target, render(text, { title: title ?? titleOf(target), author, at }));
  if (path !== undefined) return write(notePath(path));
  return firstFree(codex, notebook, notebookPath(`${nameFromTitle(title ?? '')}.md`), write);
}

export interface Daily {
  readonly file: FileRecord;
  readonly isNew: boolean;
}

/** The note of a day, of today if no other is asked for; made from its template when it is missing. */
export async function dailyNote(codex: Codex, notebook: Notebook, author: string, date?: string): Promise<Daily> {
  const { settings, store } = codex;
  const at = dayOf(localTime(codex.clock()), date);
  const path = notePath(render(settings.daily_path, { title: '', author: '', at }));
  const known = fileAt(store.reader, notebook.id, path);
  if (known !== undefined) return { file: known, isNew: false };
  const text = (await optionalText(codex, notebook, settings.daily_template)) ?? PLAIN;
  try {
    const content = render(text, { title: titleOf(path), author, at });
    return { file: await createFile(codex, notebook, author, path, content), isNew: true };
  } catch (error) {
    // Somebody else opened the same day at the same moment.
    const made = isHoldfastError(error, 'FILE_EXISTS') ? fileAt(store.reader, notebook.id, path) : undefined;
    if (made === undefined) throw error;
    return { file: made, isNew: false };
  }
}

function dayOf(now: LocalTime, date: string | undefined): LocalTime {
  if (date === undefined) return now;
  const found = onDate(now, date);
  if (found === undefined) throw codexErrors.PATH_INVALID(`${date} is not a day`, { hint: 'Write it as 2026-01-31.' });
  return found;
}

/** Names that are taken are passed over; when somebody takes one at this moment, the next is tried. */
async function firstFree<T>(
  codex: Codex,
  notebook: Notebook,
  wanted: NotebookPath,
  write: (path: NotebookPath) => Promise<T>,
): Promise<T> {
  for (let count = 0; count < CHOICES_MAX; count++) {
    const path = numbered(wanted, count);
    const key = pathKey(path);
    const { reader } = codex.store;
    const isTaken =
      filesOfKey(reader, notebook.id, key).length > 0 || foldersOfKey(reader, notebook.id, key).length > 0;
    if (isTaken) continue;
    try {
      return await write(path);
    } catch (error) {
      if (!isHoldfastError(error, 'FILE_EXISTS') && !isHoldfastError(error, 'NAME_COLLIDES')) throw error;
    }
  }
  throw codexErrors.FILE_EXISTS(`${wanted} and all names like it exist already`);
}

/** Through the queue, like every change; resolves when it is done. */
export async function createFile(
  codex: Codex,
  notebook: Notebook,
  author: string,
  path: NotebookPath,
  content: string | Uint8Array,
): Promise<FileRecord> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const requests = [{ type: 'create', path, content: bytes }] as const;
  const [event] = (await codex.publish({ notebookId: notebook.id, author, requests })).events;
  const waited = event === undefined ? undefined : await codex.wait(event.id, WAIT_MS);
  if (event === undefined || waited === undefined) throw codexErrors.EVENT_NOT_FOUND('The event is gone already');
  if (waited.timedOut) throw codexErrors.WAIT_TIMEOUT(`Event ${event.id} is still ${waited.event.status}`);
  if (waited.event.status !== 'completed') throw errorOf(waited.event);
  return fileOf(codex.store.reader, notebook.id, event.file_id ?? '');
}
