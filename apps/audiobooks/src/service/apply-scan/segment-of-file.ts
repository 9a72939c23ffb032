import type { FileFacts, Segment } from '../../model/segment.ts';
import type { ScannedFile } from '../../model/scanned.ts';

export interface SegmentPlace {
  readonly id: string;
  readonly bookId: string;
  readonly libraryId: string;
  readonly order: number;
  readonly total: number;
  readonly at: string;
}

/** Creates or updates the segment of a scanned file. */
export function segmentOfFile(file: ScannedFile, before: Segment | undefined, place: SegmentPlace): Segment {
  const isSameContent = before !== undefined && before.size_bytes === file.size && before.mtime_ns === file.mtimeNs;
  const made: Segment = {
    id: place.id,
    book_id: place.bookId,
    library_id: place.libraryId,
    file_path: file.path,
    format: file.format,
    codec: file.codec,
    size_bytes: file.size,
    duration_ms: file.durationMs,
    duration_seconds: file.durationMs / 1_000,
    hash_sha256: isSameContent ? before.hash_sha256 : null,
    quick_hash: file.quickHash,
    device: file.device,
    inode: file.inode,
    mtime_ns: file.mtimeNs,
    track_number: file.track ?? null,
    total_tracks: place.total,
    disc_number: file.disc ?? null,
    order: place.order,
    chapters: file.chapters.map(({ title, startMs, endMs }) => ({ title, startMs, endMs })),
    active: true,
    superseded_by: null,
    superseded_at_ms: null,
    superseded_duration_ms: null,
    missing_since: null,
    created_at: before?.created_at ?? place.at,
    updated_at: before?.updated_at ?? place.at,
    version: 2,
  };
  // Unchanged files cause no write.
  const isUnchanged = before !== undefined && JSON.stringify(before) === JSON.stringify(made);
  return isUnchanged ? before : { ...made, updated_at: place.at };
}

export function factsOfFile(file: ScannedFile): FileFacts {
  return {
    stream: { ...file.stream },
    tags: { ...file.tags },
    cover: file.cover ? { ...file.cover } : null,
    version: 1,
  };
}

/** Reconstructs the scan result of a segment's file. */
export function scannedFileOf(segment: Segment, facts: FileFacts | undefined): ScannedFile | undefined {
  const { device, inode, mtime_ns: mtimeNs, quick_hash: quickHash } = segment;
  if (facts === undefined || device === null || inode === null || mtimeNs === null || quickHash === null) {
    return undefined;
  }
  return {
    path: segment.file_path,
    device,
    inode,
    size: segment.size_bytes,
    mtimeNs,
    quickHash,
    format: segment.format as ScannedFile['format'],
    codec: segment.codec,
    stream: facts.stream as unknown as ScannedFile['stream'],
    durationMs: segment.duration_ms,
    chapters: segment.chapters,
    tags: facts.tags as unknown as ScannedFile['tags'],
    ...(facts.cover === null ? {} : { cover: facts.cover as unknown as NonNullable<ScannedFile['cover']> }),
    ...(segment.disc_number === null ? {} : { disc: segment.disc_number }),
    ...(segment.track_number === null ? {} : { track: segment.track_number }),
  };
}
