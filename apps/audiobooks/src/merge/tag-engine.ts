import { failpoint, syncFile, systemErrorCode } from '@holdfast/base';
import { readCover } from '../adapters/cover-files.ts';
import { inside, makeCopy } from '../adapters/library-files.ts';
import { signatureIfThere } from '../adapters/move-file.ts';
import { isSame, readSound } from '../adapters/read-sound.ts';
import { imageType, resizeImage } from '../adapters/resize-image.ts';
import { writeMp4Chapters } from '../adapters/write-chapters.ts';
import { type NewPicture, writeTags } from '../adapters/write-tags.ts';
import { type Chapter, chaptersBetween, chaptersFromMarks } from '../model/chapters.ts';
import type { BookFacts, OperationContext, TagChange, TagEngine } from '../model/engines.ts';
import { audiobookErrors } from '../model/errors.ts';
import { splitPeople } from '../model/names/people.ts';
import { originalPath, workFolder } from '../model/path-names.ts';
import type { AudioTags, ScannedFile } from '../model/scanned.ts';
import { runMoves } from '../organise/engine.ts';
import { nameOf } from '../organise/plan.ts';
import { inWorkFolder, placedAt, readAsKnown, refuseChanged, undoSwitch } from './engine.ts';

/**
 * Writes book metadata into files. First writes the tags into copies and verifies the copies. Then the copies replace
 * the originals, which are kept for undo, and one transaction updates the database.
 */
export function createTagEngine(): TagEngine {
  return {
    async preview({ root, book }) {
      const changes: TagChange[] = [];
      const cover = await bookCover(root, book);
      for (const [index, known] of book.files.entries()) {
        const file = await readAsKnown(root, known);
        changes.push(...(await changesOf(root, file, wantedFor(book, index, file, cover))));
      }
      return changes;
    },
    write: (request) => inWorkFolder(request, () => writeAll(request)),
    async undo({ root, context, files, committed }) {
      for (const { path, written } of files) {
        const now = await signatureIfThere(inside(root, path));
        if (now === undefined || !isSame(now, written))
          throw audiobookErrors.UNDO_CONFLICT(`${path} has changed since its tags were written.`);
      }
      await undoSwitch({
        root,
        context,
        restore: files.map(({ segmentId, kept, path }) => ({ segmentId, from: kept, to: path })),
        remove: files.map(({ path }) => path),
        committed: async (moved) => {
          const restored = [];
          for (const { segmentId = '', to } of moved) restored.push({ segmentId, file: await read(root, to) });
          await committed(restored);
        },
      });
    },
  };
}

type WriteRequest = Parameters<TagEngine['write']>[0];

interface TaggedCopy {
  readonly segmentId: string;
  readonly path: string;
  readonly copy: string;
  readonly file: ScannedFile;
  readonly chapters: readonly Chapter[] | undefined;
}

async function writeAll({ root, book, context, committed }: WriteRequest): Promise<void> {
  const made: TaggedCopy[] = [];
  const cover = await bookCover(root, book);
  for (const [index, known] of book.files.entries()) {
    context.signal.throwIfAborted();
    const file = await readAsKnown(root, known);
    const wanted = wantedFor(book, index, file, cover);
    const changes = await changesOf(root, file, wanted);
    for (const { path, field, from, to } of changes)
      context.log('info', `${path}: ${field} "${from}" → "${short(to)}"`);
    if (changes.length > 0) {
      const copy = `${workFolder(context.operationId)}/${index}${extensionOf(known.path)}`;
      const isChanged = (field: string): boolean => changes.some((change) => change.field === field);
      const only = {
        tags: wanted.tags,
        chapters: isChanged('chapters') ? wanted.chapters : undefined,
        cover: isChanged('cover') ? wanted.cover : undefined,
      };
      made.push({ ...known, copy, file: await taggedCopy(root, file, copy, only), chapters: only.chapters });
    }
    context.progress(index + 1, book.files.length, 'files');
  }
  if (made.length === 0) return;
  await refuseChanged(root, book.files);
  await replaceOriginals(root, made, context, committed);
}

async function replaceOriginals(
  root: string,
  made: readonly TaggedCopy[],
  context: OperationContext,
  committed: WriteRequest['committed'],
): Promise<void> {
  const bookId = '';
  const kept = made.map(({ segmentId, path }, index) => ({
    bookId,
    segmentId,
    from: path,
    to: originalPath(context.operationId, index, path),
  }));
  await runMoves({
    root,
    context,
    moves: [...made.map(({ copy, path }) => ({ bookId, from: copy, to: path })), ...kept],
    committed: async (moved) => {
      const signatures = new Map(moved.map(({ to, signature }) => [to, signature]));
      await committed(
        made.map(({ segmentId, path, file, chapters }, index) => ({
          segmentId,
          chapters,
          kept: kept[index]?.to ?? '',
          file: placedAt(file, path, signatures.get(path)),
        })),
      );
    },
  });
}

const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}…` : text).replaceAll('\n', ' ');
const extensionOf = (path: string): string => /\.[^.]*$/u.exec(nameOf(path))?.[0] ?? '';

async function read(root: string, path: string): Promise<ScannedFile> {
  const found = await readSound(root, path);
  if ('file' in found) return found.file;
  throw audiobookErrors.FILE_CHANGED(`${path}: ${found.problem.message}`);
}

/** The wanted content of a file. Values that are undefined stay as they are in the file. */
interface Wanted {
  readonly tags: WantedTags;
  readonly chapters: readonly Chapter[] | undefined;
  readonly cover: NewPicture | undefined;
}

/** Only edited chapters are written; each file gets its part of them. */
function wantedFor(book: BookFacts, index: number, file: ScannedFile, cover: NewPicture | undefined): Wanted {
  const startMs = book.files.slice(0, index).reduce((sum, { durationMs }) => sum + durationMs, 0);
  const totalMs = book.files.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const chapters =
    book.chapters.length === 0
      ? undefined
      : chaptersBetween(chaptersFromMarks(book.chapters, totalMs), startMs, startMs + file.durationMs);
  return { tags: wantedTags(book, index, file.tags), chapters, cover };
}

const COVER_BYTES_MAX = 1024 * 1024;
const COVER_PIXELS = 1_024;

/**
 * Reads the cover if it is a separate picture. Converts it to a small JPEG if it is large or not in a common format.
 */
async function bookCover(root: string, { cover }: BookFacts): Promise<NewPicture | undefined> {
  const bytes = cover?.kind === 'file' ? await readCover(root, cover) : undefined;
  if (bytes === undefined) return undefined;
  const type = imageType(bytes);
  if ((type === 'jpeg' || type === 'png') && bytes.byteLength <= COVER_BYTES_MAX)
    return { bytes, mime: `image/${type}` };
  const smaller = await resizeImage(bytes, COVER_PIXELS, 'jpeg');
  return smaller === undefined ? undefined : { bytes: smaller, mime: 'image/jpeg' };
}

async function changesOf(
  root: string,
  file: ScannedFile,
  { tags, chapters, cover }: Wanted,
): Promise<readonly TagChange[]> {
  const changes = [...tagChanges(file.path, file.tags, tags)];
  if (chapters !== undefined && !sameChapters(file.chapters, chapters)) {
    changes.push({ path: file.path, field: 'chapters', from: chapterText(file.chapters), to: chapterText(chapters) });
  }
  if (cover !== undefined && !(await hasCover(root, file, cover))) {
    const from = file.cover === undefined ? '' : pictureText(file.cover.length);
    changes.push({ path: file.path, field: 'cover', from, to: pictureText(cover.bytes.byteLength) });
  }
  return changes;
}

async function hasCover(root: string, file: ScannedFile, { bytes }: NewPicture): Promise<boolean> {
  if (file.cover?.length !== bytes.byteLength) return false;
  const own = await readCover(root, file.cover);
  return own !== undefined && Buffer.compare(own, bytes) === 0;
}

function sameChapters(left: readonly Chapter[], right: readonly Chapter[]): boolean {
  return marksText(left) === marksText(right);
}

const marksText = (chapters: readonly Chapter[]): string =>
  JSON.stringify(chapters.map(({ title, startMs }) => [title, startMs]));

const CHAPTERS_SHOWN = 5;

/** Shows only the first titles, because people read the preview. */
function chapterText(chapters: readonly Chapter[]): string {
  const titles = chapters
    .slice(0, CHAPTERS_SHOWN)
    .map(({ title, startMs }) => `${Math.round(startMs / 1_000)} s ${title}`);
  const rest = chapters.length > CHAPTERS_SHOWN ? [`… (${chapters.length} chapters)`] : [];
  return [...titles, ...rest].join('; ');
}

const pictureText = (bytes: number): string => `picture of ${Math.ceil(bytes / 1_024)} KiB`;

/**
 * Makes a copy with the new tags. Verifies that its audio is unchanged, and that its chapters and cover are as wanted.
 */
async function taggedCopy(root: string, before: ScannedFile, copy: string, wanted: Wanted): Promise<ScannedFile> {
  const failed = (message: string, cause?: unknown): Error =>
    audiobookErrors.TAGS_UNWRITABLE(`${before.path}: ${message}`, { cause });
  const path = inside(root, copy);
  await makeCopy(inside(root, before.path), path);
  failpoint('audiobooks.tags.copied');
  const isMp4 = before.format === 'm4a' || before.format === 'm4b';
  try {
    if (isMp4 && wanted.chapters !== undefined) await writeMp4Chapters(path, wanted.chapters);
    failpoint('audiobooks.tags.chapters_written');
    await writeTags(path, wanted);
  } catch (error) {
    if (systemErrorCode(error) !== undefined) throw error;
    throw failed('the tags could not be written', error);
  }
  await syncFile(path);
  failpoint('audiobooks.tags.written');
  const found = await readSound(root, copy);
  if ('problem' in found) throw failed(`the file with new tags could not be read: ${found.problem.message}`);
  const { file } = found;
  // Ogg stores tags inside the stream, so the audio bytes differ; only its length can be compared.
  const isOgg = before.format === 'ogg' || before.format === 'opus';
  if (!isOgg && file.quickHash !== before.quickHash) throw failed('the audio would have changed');
  if (file.durationMs !== before.durationMs) throw failed('the duration would have changed');
  if (!sameChapters(file.chapters, wanted.chapters ?? before.chapters)) throw failed('chapters would have been lost');
  const coverBytes = wanted.cover?.bytes.byteLength ?? before.cover?.length ?? 0;
  if ((file.cover?.length ?? 0) !== coverBytes) throw failed('the cover would have been lost');
  if (file.tags.album !== wanted.tags.album) throw failed('the new tags cannot be read back');
  return { ...file, format: before.format };
}

/** The tags that one of the book's files should have. Several names are joined into one text, as players expect. */
export interface WantedTags {
  readonly title: string;
  readonly album: string;
  readonly subtitle: string;
  readonly authors: readonly string[];
  readonly narrators: readonly string[];
  /** One series (its position is in `seriesPart`), or several series with their positions: `Name #1; Other #2`. */
  readonly series: string;
  readonly seriesPart: string;
  readonly year: number;
  readonly genres: readonly string[];
  readonly publisher: string;
  readonly description: string;
  readonly isbn: string;
  readonly asin: string;
  readonly language: string;
  readonly track: number;
  readonly tracks: number;
  readonly disc: number;
}

/**
 * Returns the tags that a file should have. If the book has several files, each keeps its own title; a single file gets
 * the book's title.
 */
function wantedTags(book: BookFacts, index: number, now: AudioTags): WantedTags {
  const isOnly = book.files.length === 1;
  const [only, ...others] = book.series;
  const list = book.series.map(({ name, sequence }) => (sequence === undefined ? name : `${name} #${sequence}`));
  return {
    title: isOnly ? book.title : (now.title ?? `${book.title} ${index + 1}`),
    album: book.title,
    subtitle: book.subtitle ?? '',
    authors: book.authors,
    narrators: book.narrators,
    series: others.length === 0 ? (only?.name ?? '') : list.join('; '),
    seriesPart: others.length === 0 ? (only?.sequence ?? '') : '',
    year: book.year ?? 0,
    genres: book.genres,
    publisher: book.publisher ?? '',
    description: book.description ?? '',
    isbn: book.isbn ?? '',
    asin: book.asin ?? '',
    language: book.language ?? '',
    track: isOnly ? 0 : index + 1,
    tracks: isOnly ? 0 : book.files.length,
    disc: book.files[index]?.disc ?? 0,
  };
}

/** Returns the tags that would change. Tags that Holdfast does not write stay unchanged. */
function tagChanges(path: string, now: AudioTags, wanted: WantedTags): readonly TagChange[] {
  const current: Readonly<Record<keyof WantedTags, string>> = {
    title: now.title ?? '',
    album: now.album ?? '',
    subtitle: now.subtitle ?? '',
    authors: names(now.albumArtists.length > 0 ? now.albumArtists : now.artists),
    narrators: names(now.narrators.length > 0 ? now.narrators : now.composers),
    series: now.series ?? '',
    seriesPart: now.seriesPart ?? '',
    year: String(now.year ?? 0),
    genres: now.genres.join('; '),
    publisher: now.publisher ?? '',
    description: now.description ?? '',
    isbn: now.isbn ?? '',
    asin: now.asin ?? '',
    language: now.language ?? '',
    track: String(now.track ?? 0),
    tracks: String(now.trackTotal ?? 0),
    disc: String(now.disc ?? 0),
  };
  const changes: TagChange[] = [];
  for (const [field, value] of Object.entries(wanted) as [keyof WantedTags, string | number | readonly string[]][]) {
    const to = typeof value === 'object' ? value.join('; ') : String(value);
    const isKnown = field === 'seriesPart' ? wanted.series !== '' : to !== '' && to !== '0';
    if (isKnown && to !== current[field]) changes.push({ path, field, from: current[field], to });
  }
  return changes;
}

const names = (values: readonly string[]): string => values.flatMap(splitPeople).join('; ');
