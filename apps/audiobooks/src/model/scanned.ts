import type { Chapter } from './chapters.ts';

/** Results of a scan before they are stored. Paths are relative to the library root and use `/`. */

export type AudioFormat = 'mp3' | 'm4a' | 'm4b' | 'flac' | 'ogg' | 'opus';

/**
 * Identifies a file independently of its name. `device`, `inode` and `mtimeNs` are decimal strings, because a
 * JavaScript number cannot hold them exactly.
 */
export interface FileSignature {
  readonly device: string;
  readonly inode: string;
  readonly size: number;
  readonly mtimeNs: string;
}

/** Parameters of an audio stream. Files with equal parameters can be joined without encoding. */
export interface StreamFormat {
  readonly codec: string;
  readonly sampleRate: number;
  readonly channels: number;
  /** Further parameters that must be equal, for example the AAC profile. */
  readonly profile: string;
}

/** The tags of a file. Lists have their original order. */
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

export type FileProblemKind =
  /** The file has an audio extension but no audio content. */
  | 'unreadable'
  /** The file is truncated; its `durationMs` covers the part that exists. */
  | 'incomplete'
  /** Another program is still writing the file. */
  | 'changing'
  /** The file cannot be opened or read now, for example because of missing permission. */
  | 'forbidden'
  /** The file is a link that leads out of the library. */
  | 'outside'
  /** The name of the file is not UTF-8, so the file cannot be opened. */
  | 'name';

export interface FileProblem {
  readonly kind: FileProblemKind;
  readonly path: string;
  readonly message: string;
}

export interface CoverSource {
  readonly kind: 'file' | 'embedded';
  /** Path of the picture, or of the media file that contains it. */
  readonly path: string;
  readonly mime: string;
  /** Byte offset of the picture in that file; -1 if the file stores the picture in encoded form (Ogg). */
  readonly offset: number;
  readonly length: number;
}

export interface ScannedFile extends FileSignature {
  readonly path: string;
  /** Hash of parts of the audio, so that writing tags does not change it. */
  readonly quickHash: string;
  readonly format: AudioFormat;
  readonly codec: string;
  readonly stream: StreamFormat;
  /** Duration of all packets in whole milliseconds. It is not taken from headers, which can be wrong. */
  readonly durationMs: number;
  readonly chapters: readonly Chapter[];
  readonly tags: AudioTags;
  readonly cover?: CoverSource;
  /** Disc number from the disc folder, the tags or the file name. */
  readonly disc?: number;
  /** Track number from the tags or the file name. */
  readonly track?: number;
  /** A file with a problem becomes part of a book only if the problem is `incomplete`. */
  readonly problem?: FileProblem;
}

export type Provenance = 'tag' | 'abs' | 'opf' | 'nfo' | 'cue' | 'text' | 'folder' | 'file';

export interface ScannedSeries {
  readonly name: string;
  /** Position as written: `1`, `0.5`, `1-3`, `1a`. */
  readonly sequence?: string;
}

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
  /** Folder of the book. Several books can be in one folder. */
  readonly folder: string;
  /** In playing order. */
  readonly files: readonly ScannedFile[];
  readonly durationMs: number;
  readonly chapters: readonly Chapter[];
  readonly cover?: CoverSource;
  readonly provenance: Readonly<Partial<Record<keyof ScannedFields, Provenance>>>;
}

/** Content type of each format. It does not depend on the file name, so no file can be served as a web page. */
const TYPES: Readonly<Record<AudioFormat, string>> = {
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  m4b: 'audio/mp4',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
};

export function contentTypeOf(format: string): string {
  return Object.hasOwn(TYPES, format) ? TYPES[format as AudioFormat] : 'application/octet-stream';
}
