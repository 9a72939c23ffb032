import type { Reads } from '@holdfast/keyspace';
import type { ScannedFile } from '../../model/scanned.ts';
import type { Segment } from '../../model/segment.ts';
import { libraries, segments } from '../../store/definitions.ts';
import { segmentAtPath } from '../../store/segments.ts';

/** Returns whether a library path exists now. */
export type Exists = (root: string, path: string) => boolean | Promise<boolean>;

/**
 * Finds the known segment of a file, whatever its name.
 *
 * In order of reliability: the same inode with the same audio or path; the same audio if the known file is gone; the
 * same path with about the same length (a replaced file); the same inode with exactly the same length. An inode alone
 * proves nothing: file systems reuse it, and a tool that rewrites a book's files one by one passes it from each to the
 * next.
 */
export interface MatchRequest {
  readonly libraryId: string;
  readonly files: readonly ScannedFile[];
  readonly exists: Exists;
}

export type Matches = ReadonlyMap<ScannedFile, Segment>;

const SAME_LENGTH_MS = 100;
const REPLACED_LENGTH_RATIO = 0.1;
const CANDIDATES_MAX = 20;

export async function matchFiles(reads: Reads, request: MatchRequest): Promise<Matches> {
  const matches = new Map<ScannedFile, Segment>();
  const taken = new Set<string>();
  const match = (file: ScannedFile, segment: Segment | undefined): void => {
    if (segment === undefined || taken.has(segment.id)) return;
    taken.add(segment.id);
    matches.set(file, segment);
  };
  // Two of the rules start from the same list.
  const sameInode = new Map<ScannedFile, readonly Segment[]>();
  for (const file of request.files) sameInode.set(file, await withInode(reads, file, request));
  const free = (file: ScannedFile): readonly Segment[] =>
    (sameInode.get(file) ?? []).filter(({ id }) => !taken.has(id));
  for (const find of [byInode, bySound, byPlace, byInodeAndLength]) {
    for (const file of request.files) {
      if (!matches.has(file)) match(file, await find({ reads, file, request, taken, sameInode: free(file) }));
    }
  }
  return matches;
}

interface Search {
  readonly reads: Reads;
  readonly file: ScannedFile;
  readonly request: MatchRequest;
  /** Segments already matched to other files. */
  readonly taken: ReadonlySet<string>;
  /** Untaken segments of this library with the file's inode. */
  readonly sameInode: readonly Segment[];
}

type Finder = (search: Search) => Segment | undefined | Promise<Segment | undefined>;

const byInode: Finder = ({ file, sameInode }) =>
  sameInode.find((segment) => segment.quick_hash === file.quickHash) ??
  sameInode.find((segment) => segment.file_path === file.path);

const byInodeAndLength: Finder = async ({ reads, file, request, sameInode }) => {
  for (const segment of sameInode) {
    const isAlike = isSameLength(segment, file) && segment.format === file.format;
    if (isAlike && !(await isThere(reads, segment, request.exists))) return segment;
  }
  return undefined;
};

async function withInode(
  reads: Reads,
  { device, inode }: ScannedFile,
  { libraryId }: MatchRequest,
): Promise<readonly Segment[]> {
  const candidates = await reads.list(segments.by.inode, { device, inode }, { limit: CANDIDATES_MAX });
  return candidates.filter((segment) => segment.library_id === libraryId);
}

const bySound: Finder = async ({ reads, file, request: { libraryId, exists }, taken }) => {
  const candidates = await reads.list(segments.by.hash, { quick_hash: file.quickHash }, { limit: CANDIDATES_MAX });
  for (const segment of candidates) {
    if (taken.has(segment.id)) continue;
    // If the known file still exists, this one is a copy.
    const isHere = segment.library_id === libraryId && segment.file_path === file.path;
    if (isHere || segment.missing_since !== null || !(await isThere(reads, segment, exists))) return segment;
  }
  return undefined;
};

const byPlace: Finder = async ({ reads, file, request: { libraryId }, taken }) => {
  const segment = await segmentAtPath(reads, libraryId, file.path);
  if (segment === undefined || taken.has(segment.id)) return undefined;
  const difference = Math.abs(segment.duration_ms - file.durationMs);
  return difference <= REPLACED_LENGTH_RATIO * Math.max(segment.duration_ms, file.durationMs) ? segment : undefined;
};

/** Checks the segment's own library, not the scanned one. Removed libraries contain nothing. */
export async function isThere(reads: Reads, segment: Segment, exists: Exists): Promise<boolean> {
  const library = segment.library_id === null ? undefined : await reads.get(libraries, { id: segment.library_id });
  return library?.removed_at === null && exists(library.root, segment.file_path);
}

function isSameLength(segment: Segment, file: ScannedFile): boolean {
  return Math.abs(segment.duration_ms - file.durationMs) <= SAME_LENGTH_MS;
}
