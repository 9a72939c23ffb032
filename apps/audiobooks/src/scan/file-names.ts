import { type NamedFile, readFileName } from '../model/names/file-name.ts';

const CACHED_MAX = 1_000;
const cached = new Map<string, NamedFile>();

/** A scan uses each name about five times, and parsing costs more than reading the folder entry. */
export function cachedFileName(name: string): NamedFile {
  const before = cached.get(name);
  if (before !== undefined) return before;
  if (cached.size >= CACHED_MAX) cached.clear();
  const read = readFileName(name);
  cached.set(name, read);
  return read;
}
