import type { Chapter } from './chapters.ts';

/** Scan results, before anything is stored. Paths are relative to the library root and use `/`. */

export type AudioFormat = 'mp3' | 'm4a' | 'm4b' | 'flac' | 'ogg' | 'opus';

/**
 * Which file this is, whatever it is called. `device`, `inode` and `mtimeNs` are decimal numbers in text: they do not
 * fit a JavaScript number.
 */
export interface FileSignature {
  readonly device: string;
  readonly inode: string;
  readonly size: number;
  readonly mtimeNs: string;
}

/** Parameters of an audio stream. Files with equal streams can be joined without encoding. */
export interface StreamFormat {
  readonly codec: string;
  readonly sampleRate: number;
  readonly channels: number;
  /** Further parameters that must be equal, for example the AAC profile. */
  readonly profile: string;
}

/** The tags of a file, unchanged. Lists keep their order. */
export interface AudioTags {
  readonly title?: string;
  readonly subtitle?: string;
  readonly album?: string;
  readonly artists: readonly string[];
  readonly albumArtists: readonly string[];
  readonly composers: readonly string[];
  readonly narrators: readonly string[];
  readonly series?: string;
  readonly seriesPart?: string;
  readonly year?: number;
  readonly publisher?: string;
  readonly language?: string;
  readonly description?: string;
  readonly genres: readonly string[];
  readonly isbn?: string;
  readonly asin?: string;
  readonly disc?: number;
  readonly discTotal?: number;
  readonly track?: number;
  readonly trackTotal?: number;
}

/** Why a file is not part of a book, or is only with reservations. */
export type FileProblemKind =
  /** The name promises sound, the content is none. */
  | 'unreadable'
  /** It ends too early: half copied, or cut off. Its `durationMs` is what is there. */
  | 'incomplete'
  /** It was still growing while we looked. */
  | 'changing'
  /** The system refuses to open or to read it, which may be otherwise tomorrow. */
  | 'forbidden'
  /** A link that leads out of the library. */
  | 'outside';

export interface FileProblem {
  readonly kind: FileProblemKind;
  readonly path: string;
  readonly message: string;
}

/** A picture inside a media file, or beside it. */
export interface CoverSource {
  readonly kind: 'file' | 'embedded';
  /** The picture itself, or the media file that contains it. */
  readonly path: string;
  readonly mime: string;
  /** Where in that file it begins; -1 where it is written in another form (Ogg) and has to be decoded. */
  readonly offset: number;
  readonly length: number;
}

export interface ScannedFile extends FileSignature {
  readonly path: string;
  /** Of the sound alone, so that writing tags does not change it. */
  readonly quickHash: string;
  readonly format: AudioFormat;
  readonly codec: string;
  readonly stream: StreamFormat;
  /** Summed over the packets, in whole milliseconds; never what a header claims. */
  readonly durationMs: number;
  readonly chapters: readonly Chapter[];
  readonly tags: AudioTags;
  readonly cover?: CoverSource;
  /** From the tags, else from the names of folder and file. */
  readonly disc?: number;
  readonly track?: number;
  /** A file with a problem of the kind `incomplete` may be part of a book; others are not. */
  readonly problem?: FileProblem;
}

export type Provenance = 'tag' | 'opf' | 'nfo' | 'cue' | 'text' | 'folder' | 'file';

export interface ScannedSeries {
  readonly name: string;
  /** As written: `1`, `0.5`, `1-3`, `1a`. */
  readonly sequence?: string;
}

/** The fields of a book that have a source of their own. */
export interface ScannedFields {
  readonly title: string;
  readonly subtitle?: string;
  readonly authors: readonly string[];
  readonly narrators: readonly string[];
  readonly series: readonly ScannedSeries[];
  readonly year?: number;
  readonly publisher?: string;
  readonly language?: string;
  readonly isbn?: string;
  readonly asin?: string;
  readonly description?: string;
  readonly genres: readonly string[];
  readonly edition?: 'abridged' | 'unabridged';
}

export interface ScannedBook extends ScannedFields {
  /** The folder that holds it; for one file among other books, the folder of that file. */
  readonly folder: string;
  /** In the order they are played. */
  readonly files: readonly ScannedFile[];
  readonly durationMs: number;
  readonly chapters: readonly Chapter[];
  readonly cover?: CoverSource;
  readonly provenance: Readonly<Partial<Record<keyof ScannedFields, Provenance>>>;
}
