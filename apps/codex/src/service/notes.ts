import { join } from 'node:path';

import { isHoldfastError, MEBIBYTE, MINUTE, type Page } from '@holdfast/base';
import type { Caller } from '@holdfast/operation';

import { sha256 } from '../adapters/file-content.ts';
import { codexErrors } from '../model/errors.ts';
import { eventError } from '../model/failure.ts';
import { attachmentName } from '../model/file-types.ts';
import { encodeTarget, relativePath } from '../model/links.ts';
import type { FileRecord, Notebook } from '../model/notebook.ts';
import { nameFromTitle, notebookPath, type NotebookPath, notePath, numbered, pathKey, titleOf } from '../model/path.ts';
import { type LocalTime, onDate, render } from '../model/template.ts';
import { type NoteSettings, vaultFiles, vaultSettings } from '../model/vault-settings.ts';
import type { FileView, InNotebook } from '../operations/fields.ts';
import type * as operations from '../operations/notes.ts';
import { fileAt, fileOfHash, listFiles } from '../store/files.ts';
import { pathsOfKey } from '../store/folders.ts';
import type { Codex } from './codex.ts';
import type { CodexContext } from './context.ts';
import { fileOf, knownPath, readContent, seenPath } from './files.ts';
import { notebookFor, writableNotebook } from './notebooks.ts';
import { pauseOf } from './pause.ts';
import { authorFor } from './submit.ts';
import { fileView, singlePage } from './views.ts';

const WAIT_MS = MINUTE;
const CHOICES_MAX = 1_000;
const PLAIN = '# {{title}}\n\n';

/** Creates a note at the given path, or at a free one made from its title. */
export async function createNote(
  codex: Codex,
  { notebook: name, template, path, title }: operations.CreateNoteInput,
  caller: Caller,
): Promise<NoteView> {
  const notebook = writableNotebook(codex, name);
  const author = await authorFor(codex, notebook, caller);
  const settings = await noteSettings(codex, notebook);
  const text = template === undefined ? PLAIN : await templateText(codex, notebook, settings, template);
  const at = localTime(codex.clock());
  const { formats } = settings;
  const write = (target: NotebookPath): Promise<FileRecord> =>
    createFile(codex, notebook, author, target, render(text, { title: title ?? titleOf(target), author, at, formats }));
  const file =
    path === undefined
      ? await firstFree(codex, notebook, notebookPath(`${nameFromTitle(title ?? '')}.md`), write)
      : await write(notePath(path));
  return noteView(codex, notebook, file);
}

/** Returns the note for a day. Creates it from its template if it is missing. */
export async function dailyNote(
  codex: Codex,
  { notebook: name, date }: operations.DailyNoteInput,
  caller: Caller,
): Promise<NoteView & { readonly is_new: boolean }> {
  const { store, clock } = codex;
  const notebook = writableNotebook(codex, name);
  const settings = await noteSettings(codex, notebook);
  const author = await authorFor(codex, notebook, caller);
  const at = dayOf(localTime(clock()), date);
  const path = notePath(render(settings.daily_path, { title: '', author: '', at }));
  const known = fileAt(store.reader, notebook.id, path);
  if (known !== undefined) return { ...noteView(codex, notebook, known), is_new: false };
  const text = (await optionalText(codex, notebook, settings.daily_template)) ?? PLAIN;
  try {
    const content = render(text, { title: titleOf(path), author, at, formats: settings.formats });
    const file = await createFile(codex, notebook, author, path, content);
    return { ...noteView(codex, notebook, file), is_new: true };
  } catch (error) {
    // Another client has created the same note at the same moment.
    const made = isHoldfastError(error, 'FILE_EXISTS') ? fileAt(store.reader, notebook.id, path) : undefined;
    if (made === undefined) throw error;
    return { ...noteView(codex, notebook, made), is_new: false };
  }
}

type NoteView = FileView & { readonly absolute_path: string };

function noteView({ store }: Codex, notebook: Notebook, file: FileRecord): NoteView {
  return { ...fileView(store.reader, file), absolute_path: join(notebook.path, file.path) };
}

function dayOf(now: LocalTime, date: string | undefined): LocalTime {
  if (date === undefined) return now;
  const found = onDate(now, date);
  if (found === undefined) throw codexErrors.PATH_INVALID(`${date} is not a date`, { hint: 'Write it as 2026-01-31.' });
  return found;
}

/** Tries the names in order, because another operation may take a name at any time. */
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
    const isTaken = pathsOfKey(reader, notebook.id, key).length > 0;
    if (isTaken) continue;
    try {
      return await write(path);
    } catch (error) {
      if (!isHoldfastError(error, 'FILE_EXISTS') && !isHoldfastError(error, 'NAME_COLLIDES')) throw error;
    }
  }
  throw codexErrors.FILE_EXISTS(`${wanted} and all its numbered variants already exist`);
}

/** Queues the creation of a file, and waits until it is done. */
async function createFile(
  codex: Codex,
  notebook: Notebook,
  author: string,
  path: NotebookPath,
  content: string | Uint8Array,
): Promise<FileRecord> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const requests = [{ type: 'create', path, content: bytes }] as const;
  const [event] = (await codex.publish({ notebookId: notebook.id, author, requests })).events;
  const paused = pauseOf(notebook);
  if (event !== undefined && paused !== null) {
    throw codexErrors.WAIT_TIMEOUT(`${path} is queued. ${paused.reason}`);
  }
  const waited = event === undefined ? undefined : await codex.wait(event.id, WAIT_MS);
  if (event === undefined || waited === undefined)
    throw codexErrors.EVENT_NOT_FOUND('The event has already been removed');
  if (waited.timedOut) throw codexErrors.WAIT_TIMEOUT(`Event ${event.id} is still ${waited.event.status}`);
  if (waited.event.status !== 'completed') throw eventError(waited.event);
  return fileOf(codex.store.reader, notebook.id, event.file_id ?? '');
}

const TEMPLATES_MAX = 500;
const TEMPLATE_BYTES_MAX = MEBIBYTE;

interface Template {
  readonly path: string;
  readonly name: string;
}

export async function listTemplates(codex: Codex, { notebook: name }: InNotebook): Promise<Page<Template>> {
  const notebook = notebookFor(codex, name);
  const settings = await noteSettings(codex, notebook);
  await seenPath(codex, notebook, settings.template_folder);
  return singlePage(templatesOf(codex, notebook, settings));
}

const VAULT_FILE_BYTES_MAX = MEBIBYTE;

/** Reads the settings of an Obsidian vault. Reads them each time, because Obsidian may change them. */
async function noteSettings(codex: CodexContext, notebook: Notebook, note?: string): Promise<NoteSettings> {
  const read = async (path: string): Promise<string | undefined> => {
    const content = await readContent(notebook, path).catch(() => undefined);
    if (content === undefined || content.length > VAULT_FILE_BYTES_MAX) return undefined;
    return Buffer.from(content).toString('utf8');
  };
  const [app, daily, templates] = await Promise.all(
    [vaultFiles.app, vaultFiles.daily, vaultFiles.templates].map((path) => read(path)),
  );
  return vaultSettings({ app, daily, templates }, codex.settings, note);
}

/** Returns all text files in the template folder, by path. */
function templatesOf({ store }: CodexContext, { id }: Notebook, settings: NoteSettings): readonly Template[] {
  const folder = notebookPath(settings.template_folder);
  const files = listFiles(store.reader, id, { folder, limit: TEMPLATES_MAX });
  return files
    .filter(({ content_type }) => content_type.startsWith('text/'))
    .map(({ path }) => ({ path, name: titleOf(path) }));
}

async function templateText(
  codex: CodexContext,
  notebook: Notebook,
  settings: NoteSettings,
  name: string,
): Promise<string> {
  const all = templatesOf(codex, notebook, settings);
  const found = all.find(({ path }) => path === name) ?? all.find((template) => template.name === name);
  if (found === undefined) {
    throw codexErrors.FILE_NOT_FOUND(`There is no template ${JSON.stringify(name)}`, {
      hint: `Templates are text files in ${settings.template_folder}/ in the notebook.`,
    });
  }
  return readText(codex, notebook, found.path);
}

async function optionalText(codex: Codex, notebook: Notebook, path: string): Promise<string | undefined> {
  const { reader } = codex.store;
  for (const wanted of path === '' ? [] : [path, `${path}.md`]) {
    const found = await seenPath(codex, notebook, wanted);
    if (fileAt(reader, notebook.id, found) !== undefined) return readText(codex, notebook, found);
  }
  return undefined;
}

async function readText({ store }: CodexContext, notebook: Notebook, path: string): Promise<string> {
  const { size = 0 } = fileAt(store.reader, notebook.id, path) ?? {};
  if (size > TEMPLATE_BYTES_MAX) throw codexErrors.FILE_TOO_LARGE(`${path} is too long for a template`);
  return Buffer.from(await readContent(notebook, path)).toString('utf8');
}

interface NewAttachment {
  /** Original file name. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The note that will contain the link; the link is relative to it. */
  readonly note?: string | undefined;
}

interface Attached {
  readonly file: FileRecord;
  readonly isNew: boolean;
  /** Link or image for the note. */
  readonly markdown: string;
}

/** Stores an attachment. The same content is stored only once, even under different names. */
export async function attach(
  codex: Codex,
  notebook: Notebook,
  author: string,
  { name, bytes, note }: NewAttachment,
): Promise<Attached> {
  const { store, settings } = codex;
  if (bytes.length > settings.attachment_max_bytes) {
    throw codexErrors.FILE_TOO_LARGE(
      `The attachment has ${bytes.length} bytes; the maximum is ${settings.attachment_max_bytes}`,
      {
        hint: 'Use a smaller file, or raise the limit HOLDFAST_CODEX_ATTACHMENT_MAX_BYTES.',
      },
    );
  }
  const from = note === undefined ? undefined : knownPath(store.reader, notebook.id, note);
  const hash = sha256(bytes);
  const { attachment_folder: folder } = await noteSettings(codex, notebook, from);
  const path = notebookPath(join(folder, attachmentName(name, bytes, hash)));
  const known = (): FileRecord | undefined => fileOfHash(store.reader, notebook.id, hash, folder);
  const found = known();
  if (found !== undefined) return { file: found, isNew: false, markdown: markdownFor(found, name, from) };
  try {
    const file = await createFile(codex, notebook, author, path, bytes);
    return { file, isNew: true, markdown: markdownFor(file, name, from) };
  } catch (error) {
    // Another request has stored the same content in the meantime.
    const made = isHoldfastError(error, 'FILE_EXISTS') ? known() : undefined;
    if (made === undefined) throw error;
    return { file: made, isNew: false, markdown: markdownFor(made, name, from) };
  }
}

function markdownFor({ path, content_type }: FileRecord, name: string, note: NotebookPath | undefined): string {
  const target = encodeTarget(note === undefined ? path : relativePath(note, path));
  const text = titleOf(name)
    .replaceAll(/[[\]\\\p{Cc}]/gu, ' ')
    .trim();
  return `${content_type.startsWith('image/') ? '!' : ''}[${text}](${target})`;
}

function localTime(milliseconds: number): LocalTime {
  const at = new Date(milliseconds);
  return {
    year: at.getFullYear(),
    month: at.getMonth() + 1,
    day: at.getDate(),
    hour: at.getHours(),
    minute: at.getMinutes(),
    second: at.getSeconds(),
  };
}
