import type { Chapter } from './chapters.ts';

/** Results of a scan before they are stored. Paths are relative to the library root and use `/`. */

export type AudioFormat = 'mp3' | 'm4a' | 'm4b' | 'flac' | 'ogg' | 'opus';

/**
 * Identifies a file independently of its name. `device`, `inode` and `mtimeNs` are decimal strings, because they exceed
 * the precision of a JavaScript number.
 */
export interface FileSignature {
  readonly device: string;
  readonly inode: string;
  readonly size: number;
  readonly mtimeNs: string;
}

/** Stream parameters. Files with equal parameters can be joined without encoding. */
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
  /** Has an audio extension but no audio content. */
  | 'unreadable'
  /** Truncated. `durationMs` covers the part that exists. */
  | 'incomplete'
  /** Still being written. */
  | 'changing'
  /** Cannot be opened or read now, for example without permission. */
  | 'forbidden'
  /** A link that leads out of the library. */
  | 'outside';

export interface FileProblem {
  readonly kind: FileProblemKind;
  readonly path: string;
  readonly message: string;
}

export interface CoverSource {
  readonly kind: 'file' | 'embedded';
  /** The picture, or the media file that contains it. */
  readonly path: string;
  readonly mime: string;
  /** Byte offset in that file; -1 if the picture is encoded (Ogg) and must be decoded. */
  readonly offset: number;
  readonly length: number;
}

export interface ScannedFile extends FileSignature {
  readonly path: string;
  /** Covers the audio only, so that writing tags does not change it. */
  readonly quickHash: string;
  readonly format: AudioFormat;
  readonly codec: string;
  readonly stream: StreamFormat;
  /** Sum of all packets in whole milliseconds, because headers can be wrong. */
  readonly durationMs: number;
  readonly chapters: readonly Chapter[];
  readonly tags: AudioTags;
  readonly cover?: CoverSource;
  /** The disc comes from its folder, the tags or the file name; the track from the tags or the file name. */
  readonly disc?: number;
  readonly track?: number;
  /** A file with a problem is part of a book only if the problem is `incomplete`. */
  readonly problem?: FileProblem;
}

export type Provenance = 'tag' | 'opf' | 'nfo' | 'cue' | 'text' | 'folder' | 'file';

export interface ScannedSeries {
  readonly name: string;
  /** As written: `1`, `0.5`, `1-3`, `1a`. */
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
  /** Folder of the book. Several books can share one. */
  readonly folder: string;
  /** In playing order. */
  readonly files: readonly ScannedFile[];
  readonly durationMs: number;
  readonly chapters: readonly Chapter[];
  readonly cover?: CoverSource;
  readonly provenance: Readonly<Partial<Record<keyof ScannedFields, Provenance>>>;
}

/** A fixed list that ignores file names, so that no file is served as a web page. */
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
