import { failpoint } from '@holdfast/base';
import { inside, makeCopy, takePlace } from '../adapters/library-files.ts';
import { exists, removeFile, signatureIfThere } from '../adapters/move-file.ts';
import { isSame, readSound } from '../adapters/read-sound.ts';
import { writeTags } from '../adapters/write-tags.ts';
import type { BookFacts, OperationContext, TagEngine, TagsWritten } from '../model/engines.ts';
import { audiobookErrors } from '../model/errors.ts';
import { splitPeople } from '../model/names/people.ts';
import { seriesList } from '../model/names/series-text.ts';
import type { AudioTags, ScannedFile } from '../model/scanned.ts';

/** Writes book metadata into files: changes a copy, verifies it, and replaces the original. */
export function createTagEngine(): TagEngine {
  return {
    async write({ root, book, context, written }) {
      for (const [index, known] of book.files.entries()) {
        context.signal.throwIfAborted();
        const file = await readAsKnown(root, known);
        const wanted = wantedTags(book, index, file.tags);
        const changes = tagChanges(file.tags, wanted);
        if (changes.length === 0) continue;
        for (const { field, from, to } of changes)
          context.log('info', `${known.path}: ${field} "${from}" → "${short(to)}"`);
        await writeOne(root, { ...file, segmentId: known.segmentId }, wanted, context, index, written);
      }
    },
    recover: recoverTags,
  };
}

const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}…` : text).replaceAll('\n', ' ');

async function readAsKnown(
  root: string,
  known: Parameters<typeof isSame>[1] & { readonly path: string },
): Promise<ScannedFile> {
  const read = await readSound(root, known.path);
  if ('problem' in read) throw audiobookErrors.FILE_CHANGED(`${known.path}: ${read.problem.message}`);
  if (isSame(read.file, known)) return read.file;
  throw audiobookErrors.FILE_CHANGED(`${known.path} has changed since it was scanned.`);
}

async function writeOne(
  root: string,
  file: ScannedFile & { readonly segmentId: string },
  wanted: WantedTags,
  { journal, operationId }: OperationContext,
  index: number,
  written: TagsWritten,
): Promise<void> {
  const { path, segmentId, inode, device } = file;
  const copy = unfinishedCopy(path, operationId, index);
  const target = inside(root, path);
  const seqs = await journal.plan([{ kind: 'tag', data: { segmentId, path, copy, inode, device } }]);
  try {
    await makeCopy(target, inside(root, copy));
    failpoint('audiobooks.tags.copied');
    await changeTags(root, copy, wanted, file);
    failpoint('audiobooks.tags.written');
    const now = await signatureIfThere(target);
    if (now === undefined || !isSame(now, file))
      throw audiobookErrors.FILE_CHANGED(`${path} changed during the operation.`);
    await takePlace(inside(root, copy), target);
  } catch (error) {
    await removeFile(inside(root, copy));
    await journal.mark(seqs, 'undone');
    throw error;
  }
  await written({ segmentId, signature: (await signatureIfThere(target)) ?? file });
  failpoint('audiobooks.tags.noted');
  await journal.mark(seqs, 'done');
}

/** Returns a path next to the file, so that a rename can replace it. The tag writer needs the extension. */
function unfinishedCopy(path: string, operationId: string, index: number): string {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
  return `${folder}.holdfast-${operationId}-${index}${path.slice(path.lastIndexOf('.'))}`;
}

/** Verifies that the copy has the new tags and unchanged audio, chapters and cover. */
async function changeTags(root: string, copy: string, wanted: WantedTags, before: ScannedFile): Promise<void> {
  const failed = (message: string, cause?: unknown): Error =>
    audiobookErrors.TAGS_UNWRITABLE(`${before.path}: ${message}`, { cause });
  try {
    await writeTags(inside(root, copy), wanted);
  } catch (error) {
    throw failed('the tags could not be written', error);
  }
  const read = await readSound(root, copy);
  if ('problem' in read) throw failed(`the file with new tags could not be read: ${read.problem.message}`);
  const { file } = read;
  // In Ogg, tags are part of the stream, so only its duration can be compared.
  const isOgg = before.format === 'ogg' || before.format === 'opus';
  if (!isOgg && file.quickHash !== before.quickHash) throw failed('the audio would have changed');
  if (file.durationMs !== before.durationMs) throw failed('the duration would have changed');
  if (file.chapters.length !== before.chapters.length) throw failed('chapters would have been lost');
  if ((before.cover?.length ?? 0) !== (file.cover?.length ?? 0)) throw failed('the cover would have been lost');
  if (file.tags.album !== wanted.album) throw failed('the new tags cannot be read back');
}

/** Discards copies that a crash left behind. Each original is either untouched or already replaced. */
const recoverTags: TagEngine['recover'] = async ({ root, context: { journal }, written }) => {
  for (const { seq, data } of (await journal.steps()).filter(({ state }) => state === 'planned')) {
    const now = await signatureIfThere(inside(root, String(data['path'])));
    const isReplaced = now !== undefined && (now.inode !== data['inode'] || now.device !== data['device']);
    const copy = inside(root, String(data['copy']));
    if (await exists(copy)) await removeFile(copy);
    if (isReplaced) await written({ segmentId: String(data['segmentId']), signature: now });
    await journal.mark([seq], isReplaced ? 'done' : 'undone');
  }
};

/** The tags that a book's file should have. Several names become one text, as players show them. */
export interface WantedTags {
  readonly title: string;
  readonly album: string;
  readonly subtitle: string;
  readonly authors: readonly string[];
  readonly narrators: readonly string[];
  /** `Name #1; Other #2`. */
  readonly series: string;
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

/** A chapter file keeps its own title; a single file gets the book's title. */
function wantedTags(book: BookFacts, index: number, now: AudioTags): WantedTags {
  const isOnly = book.files.length === 1;
  const series = book.series.map(({ name, sequence }) => (sequence === undefined ? name : `${name} #${sequence}`));
  return {
    title: isOnly ? book.title : (now.title ?? `${book.title} ${index + 1}`),
    album: book.title,
    subtitle: book.subtitle ?? '',
    authors: book.authors,
    narrators: book.narrators,
    series: series.join('; '),
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

interface TagChange {
  readonly field: keyof WantedTags;
  readonly from: string;
  readonly to: string;
}

/** Returns the tags that would change. Unknown tags stay. */
function tagChanges(now: AudioTags, wanted: WantedTags): readonly TagChange[] {
  const current: Readonly<Record<keyof WantedTags, string>> = {
    title: now.title ?? '',
    album: now.album ?? '',
    subtitle: now.subtitle ?? '',
    authors: names(now.albumArtists.length > 0 ? now.albumArtists : now.artists),
    narrators: names(now.narrators.length > 0 ? now.narrators : now.composers),
    series: seriesText(now),
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
    if (to !== '' && to !== '0' && to !== current[field]) changes.push({ field, from: current[field], to });
  }
  return changes;
}

const names = (values: readonly string[]): string => values.flatMap(splitPeople).join('; ');

function seriesText({ series, seriesPart }: AudioTags): string {
  if (series === undefined) return '';
  const list = seriesList(series, seriesPart);
  return list.map(({ name, sequence }) => (sequence === undefined ? name : `${name} #${sequence}`)).join('; ');
}
