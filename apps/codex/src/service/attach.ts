import { isHoldfastError } from '@holdfast/base';

import { sha256 } from '../adapters/file-content.ts';
import { attachmentName } from '../model/attachment.ts';
import { codexErrors } from '../model/errors.ts';
import { encodeTarget, relativePath } from '../model/link-path.ts';
import { titleOf } from '../model/note-path.ts';
import type { FileRecord, Notebook } from '../model/notebook.ts';
import { notebookPath, type NotebookPath } from '../model/path.ts';
import { fileOfHash } from '../store/files.ts';
import type { Codex } from './codex.ts';
import { createFile } from './notes.ts';
import { knownPath } from './paths.ts';

export interface NewAttachment {
  /** Original file name. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The note that the link is for; the link is relative to it. */
  readonly note?: string | undefined;
}

export interface Attached {
  readonly file: FileRecord;
  readonly isNew: boolean;
  /** Link or image for the note. */
  readonly markdown: string;
}

/** Stores an attachment. The same bytes are stored once, whatever their name. */
export async function attach(
  codex: Codex,
  notebook: Notebook,
  author: string,
  { name, bytes, note }: NewAttachment,
): Promise<Attached> {
  const { store, settings } = codex;
  if (bytes.length > settings.attachment_max_bytes) {
    throw codexErrors.FILE_TOO_LARGE(`${bytes.length} bytes are more than ${settings.attachment_max_bytes}`, {
      hint: 'The limit is HOLDFAST_CODEX_ATTACHMENT_MAX_BYTES.',
    });
  }
  const from = note === undefined ? undefined : knownPath(store.reader, notebook.id, note);
  const hash = sha256(bytes);
  const path = notebookPath(`${settings.attachment_folder}/${attachmentName(name, bytes, hash)}`);
  const known = (): FileRecord | undefined =>
    fileOfHash(store.reader, notebook.id, hash, notebookPath(settings.attachment_folder));
  const found = known();
  if (found !== undefined) return { file: found, isNew: false, markdown: markdownFor(found, name, from) };
  try {
    const file = await createFile(codex, notebook, author, path, bytes);
    return { file, isNew: true, markdown: markdownFor(file, name, from) };
  } catch (error) {
    // The same picture was pasted twice at once.
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
