import type { ChapterMark } from '../model/chapters.ts';
import type { StreamFormat } from '../model/scanned.ts';

/** One statement of a tag, under the name that all formats share: `['ALBUM', 'Dune']`. */
export type TagEntry = readonly [name: string, value: string];

export interface Picture {
  readonly mime: string;
  /** Where in the file; -1 where it does not stand there as it is. */
  readonly offset: number;
  readonly length: number;
  /** Whether its maker says that it is the front cover. */
  readonly isFront: boolean;
  readonly bytes: () => Promise<Uint8Array>;
}

/** The result of reading one container format. */
export interface Found {
  readonly stream: StreamFormat;
  readonly durationMs: number;
  readonly chapters: readonly ChapterMark[];
  readonly entries: readonly TagEntry[];
  readonly pictures: readonly Picture[];
  /** Where the sound is, without tags: what identifies the file when its tags change. */
  readonly sound: { readonly offset: number; readonly length: number };
  /** Whether less is there than the file itself announces. */
  readonly isIncomplete: boolean;
}

/** Limits against hostile files. */
export const LIMITS = {
  entries: 2_000,
  textBytes: 64 * 1024,
  pictures: 32,
  pictureBytes: 32 * 1024 * 1024,
  chapters: 10_000,
} as const;
