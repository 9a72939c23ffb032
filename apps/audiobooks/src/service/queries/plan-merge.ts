import { chaptersOfParts, type Chapter } from '../../model/chapters.ts';
import { type Book } from '../../model/book.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { fileFacts } from '../../store/definitions.ts';
import { activeSegments } from '../../store/segments.ts';
import type { Audiobooks } from '../audiobooks.ts';

export interface MergePlan {
  readonly files: readonly { readonly path: string; readonly durationMs: number; readonly sizeBytes: number }[];
  /** Whether the audio is copied or encoded again. */
  readonly method: 'copy' | 'encode';
  readonly chapters: readonly Chapter[];
}

/** Plans a merge from the last scan's data without changing anything. */
export function planMerge({ store }: Audiobooks, book: Book, bitrateKbps: number | undefined): Promise<MergePlan> {
  return store.snapshot(async (reads) => {
    const segments = await activeSegments(reads, book.id);
    if (segments.length === 0) throw audiobookErrors.SEGMENT_NOT_FOUND(`${book.title} has no files.`);
    const facts = await reads.getMany(
      fileFacts,
      segments.map(({ id }) => ({ segment: id })),
    );
    const streams = new Set(facts.map((known) => JSON.stringify(known?.stream ?? null)));
    const areMp4 = segments.every(({ format, codec }) => /^m4[ab]$/u.test(format) && /^(?:aac|alac)$/u.test(codec));
    return {
      files: segments.map(({ file_path: path, duration_ms: durationMs, size_bytes: sizeBytes }) => ({
        path,
        durationMs,
        sizeBytes,
      })),
      method: areMp4 && streams.size === 1 && bitrateKbps === undefined ? 'copy' : 'encode',
      chapters: chaptersOfParts(
        segments.map((segment, index) => ({
          title: `Part ${index + 1}`,
          durationMs: segment.duration_ms,
          chapters: segment.chapters,
        })),
      ),
    };
  });
}
