import { failpoint, syncFile } from '@holdfast/base';
import { readCover } from '../adapters/cover-files.ts';
import { INPUT_OPTIONS, inputFile, runFfmpeg } from '../adapters/ffmpeg.ts';
import { inside, makeWorkFolder, removeWorkFolder } from '../adapters/library-files.ts';
import { exists, signatureIfThere } from '../adapters/move-file.ts';
import { isSame, readSound } from '../adapters/read-sound.ts';
import type {
  BookFacts,
  EncodedFile,
  EncodeRequest,
  MergeEngine,
  MovedFile,
  PlannedMove,
  SegmentFile,
} from '../model/engines.ts';
import { audiobookErrors } from '../model/errors.ts';
import { partTitles, withoutExtension } from '../model/names/file-name.ts';
import { originalPath, safeName, scrub, workFolder } from '../model/path-names.ts';
import type { FileSignature, ScannedFile } from '../model/scanned.ts';
import { recoverMoves, runMoves } from '../organise/engine.ts';
import { folderOf, joined, nameOf } from '../organise/plan.ts';
import { joinFiles, transcodeFile } from './encode-files.ts';

/**
 * Merges and transcodes: creates and verifies new files, moves them into place, then switches the book to the new
 * files.
 */
export function createMergeEngine(): MergeEngine {
  return {
    merge: (request) => inWorkFolder(request, mergeBook),
    transcode: (request) => inWorkFolder(request, (same, work) => transcodeBook(same, work, request.format)),
    async recover({ root, context, isCommitted }) {
      await recoverMoves(root, context, isCommitted);
      await removeWorkFolder(root, context.operationId);
      return (await isCommitted()) ? 'finished' : 'undone';
    },
    undo: undoSwitch,
  };
}

export const undoSwitch: MergeEngine['undo'] = async ({ root, context, restore, remove, committed }) => {
  const away = remove.map((path, index) => ({ path, to: `${workFolder(context.operationId)}/removed-${index}` }));
  const moves: PlannedMove[] = [
    ...away.map(({ path, to }) => ({ bookId: '', from: path, to })),
    ...restore.map(({ segmentId, from, to }) => ({ bookId: '', segmentId, from, to })),
  ];
  await runMoves({
    root,
    context,
    moves,
    discard: away.map(({ to }) => to),
    committed: (moved) => committed(moved.filter(({ segmentId }) => segmentId !== undefined)),
  });
  await removeWorkFolder(root, context.operationId);
};

/** Calls `run` with a work folder and removes the folder afterwards, even after a failure. */
export async function inWorkFolder<Request extends Pick<EncodeRequest, 'root' | 'context'>>(
  request: Request,
  run: (request: Request, work: string) => Promise<void>,
): Promise<void> {
  const { root, context } = request;
  const work = await makeWorkFolder(root, context.operationId);
  try {
    await run(request, work);
  } finally {
    await removeWorkFolder(root, context.operationId);
  }
}

/** Reads the book's files; fails if they changed since the scan. */
async function sources({ root, book, context }: EncodeRequest): Promise<readonly ScannedFile[]> {
  const files: ScannedFile[] = [];
  for (const known of book.files) {
    context.signal.throwIfAborted();
    const file = await readAsKnown(root, known);
    if (file.problem !== undefined)
      context.log('warn', `${known.path}: ${file.problem.message}; using the readable part`);
    files.push(file);
  }
  if (files.length === 0) throw audiobookErrors.FILE_CHANGED(`${book.title} has no files.`);
  return files;
}

/** Reads a file; fails if it changed since the scan. */
export async function readAsKnown(root: string, known: SegmentFile): Promise<ScannedFile> {
  const read = await readSound(root, known.path);
  if ('problem' in read) throw audiobookErrors.FILE_CHANGED(`${known.path}: ${read.problem.message}`);
  if (isSame(read.file, known)) return read.file;
  throw audiobookErrors.FILE_CHANGED(`${known.path} has changed since it was scanned.`);
}

async function mergeBook(request: EncodeRequest, work: string): Promise<void> {
  const { root, book, context, bitrateKbps } = request;
  const files = await sources(request);
  const bytes = book.cover === undefined ? undefined : await readCover(root, book.cover);
  const joinedFiles = await joinFiles({
    root,
    book,
    files,
    titles: partTitles(
      files.map(({ path, tags }) => ({ path, title: tags.title })),
      book.title,
    ),
    work,
    cover: bytes === undefined ? undefined : { bytes, mime: book.cover?.mime ?? '' },
    bitrateKbps,
    signal: context.signal,
    onProgress: (done, total) => context.progress(done, total, 'joining'),
    onComplaint: (line) => context.log('warn', `ffmpeg: ${line}`),
  });
  failpoint('audiobooks.merge.joined');
  context.log('info', `${files.length} files joined (${joinedFiles.pipeline})`);
  const durationMs = joinedFiles.durationsMs.reduce((sum, part) => sum + part, 0);
  const expected = { durationMs, parts: files.length, chapterStartsMs: joinedFiles.chapterStartsMs };
  const made = await verifyEncoded(work, joinedFiles.name, expected, context.signal);
  failpoint('audiobooks.merge.verified');
  const to = await freeName(root, book, joined(folderForMerged(book), `${nameForMerged(book)}.m4b`));
  let startMs = 0;
  const offsets = book.files.map(({ segmentId }, index) => {
    const part = joinedFiles.durationsMs[index] ?? 0;
    const offset = { segmentId, startMs, durationMs: part };
    startMs += part;
    return offset;
  });
  await switchFiles(request, [{ made, name: joinedFiles.name, to, offsets }]);
}

const nameForMerged = (book: BookFacts): string => safeName(scrub(book.title), '').slice(0, 200) || 'Untitled';

/** Folder for the merged file: the book's folder, even if the files are in disc folders below it. */
const folderForMerged = (book: BookFacts): string =>
  book.files.length > 1 ? book.folder : folderOf(book.files[0]?.path ?? '');

async function transcodeBook(request: EncodeRequest, work: string, format: string): Promise<void> {
  const { root, book, context } = request;
  const files = await sources(request);
  const made: Made[] = [];
  const totalMs = files.reduce((sum, { durationMs }) => sum + durationMs, 0);
  let doneMs = 0;
  for (const [index, file] of files.entries()) {
    const before = doneMs;
    const name = await transcodeFile({
      source: inside(root, file.path),
      file,
      format,
      work,
      index,
      bitrateKbps: request.bitrateKbps,
      signal: context.signal,
      onProgress: (ms) => context.progress(before + ms, totalMs, 'encoding'),
      onComplaint: (line) => context.log('warn', `ffmpeg: ${file.path}: ${line}`),
    });
    failpoint('audiobooks.transcode.encoded');
    const chapterStartsMs = file.chapters.map(({ startMs }) => startMs);
    const expected = { durationMs: file.durationMs, parts: 1, chapterStartsMs };
    const verified = await verifyEncoded(work, name, expected, context.signal);
    const stem = joined(folderOf(file.path), withoutExtension(nameOf(file.path)));
    const to = await freeName(root, book, `${stem}.${format}`);
    const segmentId = book.files[index]?.segmentId ?? '';
    made.push({ made: verified, name, to, offsets: [{ segmentId, startMs: 0, durationMs: verified.durationMs }] });
    doneMs += file.durationMs;
  }
  await switchFiles(request, made);
}

interface Made {
  readonly made: ScannedFile;
  /** Name of the file in the work folder. */
  readonly name: string;
  readonly to: string;
  readonly offsets: EncodedFile['offsets'];
}

/** Moves the new files into place and the originals to the originals folder, then stores the book's new files. */
async function switchFiles(
  { root, book, context, switchSegments }: EncodeRequest,
  made: readonly Made[],
): Promise<void> {
  const { operationId } = context;
  await refuseChanged(root, book.files);
  const kept = book.files.map(({ segmentId, path }, index) => ({
    bookId: book.bookId,
    segmentId,
    from: path,
    to: originalPath(operationId, index, path),
  }));
  const placed = made.map(({ name, to }) => ({ bookId: book.bookId, from: `${workFolder(operationId)}/${name}`, to }));
  const committed = async (moved: readonly MovedFile[]): Promise<void> => {
    const signatures = new Map(moved.map((move) => [move.to, move.signature]));
    const encoded = made.map(({ made: file, to, offsets }): EncodedFile => {
      const own = new Set(offsets.map(({ segmentId }) => segmentId));
      const originals = kept
        .filter(({ segmentId }) => own.has(segmentId))
        .map(({ segmentId, to: path }) => ({ segmentId, path, signature: signatures.get(path) ?? file }));
      return { file: placedAt(file, to, signatures.get(to)), offsets, originals };
    });
    await switchSegments(encoded);
  };
  await runMoves({ root, context, moves: [...placed, ...kept], committed });
}

export async function refuseChanged(
  root: string,
  files: readonly (FileSignature & { readonly path: string })[],
): Promise<void> {
  for (const file of files) {
    const now = await signatureIfThere(inside(root, file.path));
    if (now === undefined || !isSame(now, file))
      throw audiobookErrors.FILE_CHANGED(`${file.path} changed during the operation.`);
  }
}

export function placedAt(file: ScannedFile, path: string, signature: MovedFile['signature'] | undefined): ScannedFile {
  const { cover } = file;
  return {
    ...file,
    ...signature,
    path,
    format: path.endsWith('.m4b') ? 'm4b' : file.format,
    ...(cover === undefined ? {} : { cover: { ...cover, path } }),
  };
}

/** Returns a path that is unused, or used by a file that this operation replaces. */
async function freeName(root: string, book: BookFacts, wanted: string): Promise<string> {
  const leaving = new Set(book.files.map(({ path }) => path));
  const stem = withoutExtension(wanted);
  const extension = wanted.slice(stem.length);
  for (let number = 1; ; number++) {
    const path = number === 1 ? wanted : `${stem} (${number})${extension}`;
    if (leaving.has(path) || !(await exists(inside(root, path)))) return path;
  }
}

interface Expected {
  readonly durationMs: number;
  readonly parts: number;
  readonly chapterStartsMs: readonly number[];
}

/** Allowed difference between durations: half a second or 20 ms per part, whichever is longer. */
const toleranceMs = (parts: number): number => Math.max(500, 20 * parts);

const invalid = (message: string): Error => audiobookErrors.ENCODED_INVALID(`The new file ${message}.`);

/** Accepts a new file only if its duration and chapters match its parts and it decodes to the end without errors. */
export async function verifyEncoded(
  folder: string,
  name: string,
  expected: Expected,
  signal: AbortSignal,
): Promise<ScannedFile> {
  await syncFile(`${folder}/${name}`);
  const read = await readSound(folder, name);
  if ('problem' in read) throw invalid(`cannot be read: ${read.problem.message}`);
  const { file } = read;
  if (file.problem !== undefined) throw invalid('is not complete');
  const difference = file.durationMs - expected.durationMs;
  if (Math.abs(difference) > toleranceMs(expected.parts)) {
    throw invalid(`is ${Math.abs(difference)} ms too ${difference > 0 ? 'long' : 'short'}`);
  }
  const starts = expected.chapterStartsMs;
  if (file.chapters.length !== starts.length) {
    throw invalid(`has ${file.chapters.length} chapters instead of ${starts.length}`);
  }
  const shifted = file.chapters.findIndex(
    ({ startMs }, index) => Math.abs(startMs - (starts[index] ?? 0)) > toleranceMs(expected.parts),
  );
  if (shifted !== -1) throw invalid(`starts chapter ${shifted + 1} at the wrong time`);
  const decode = [
    '-xerror',
    ...INPUT_OPTIONS,
    '-i',
    inputFile(`${folder}/${name}`),
    '-map',
    '0:a:0',
    '-f',
    'null',
    '-',
  ];
  const complaints = await runFfmpeg({ args: decode, cwd: folder, signal });
  if (complaints !== '') throw invalid(`cannot be played without errors: ${complaints.split('\n')[0] ?? ''}`);
  return file;
}
