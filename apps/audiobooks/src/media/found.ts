import type { ChapterMark } from '../model/chapters.ts';
import type { StreamFormat } from '../model/scanned.ts';

/** A tag value under its format-independent name: `['ALBUM', 'Dune']`. */
export type TagEntry = readonly [name: string, value: string];

export interface Picture {
  readonly mime: string;
  /** Byte offset in the file; -1 if the picture is stored encoded. */
  readonly offset: number;
  readonly length: number;
  /** Whether it is marked as the front cover. */
  readonly isFront: boolean;
  readonly bytes: () => Promise<Uint8Array>;
}

export interface Found {
  readonly stream: StreamFormat;
  readonly durationMs: number;
  readonly chapters: readonly ChapterMark[];
  readonly entries: readonly TagEntry[];
  readonly pictures: readonly Picture[];
  /** The audio data without tags; identifies the file when its tags change. */
  readonly sound: { readonly offset: number; readonly length: number };
  /** Whether the file is shorter than it declares. */
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
