import { name4, u32, u64 } from './bytes.ts';
import { type ByteSource, readExactly } from './source.ts';

export interface Atom {
  readonly name: string;
  /** Start of the content, after the header. */
  readonly start: number;
  /** As declared; beyond the end of a truncated file. */
  readonly end: number;
}

/** More sibling boxes than any real file has, including long fragmented streams. */
const SIBLINGS_MAX = 200_000;
const CHILDREN_MAX = 4_096;

/** Yields the boxes between `start` and `end`; reads only headers. */
export async function atomsBetween(
  source: ByteSource,
  start: number,
  end: number,
  max = SIBLINGS_MAX,
): Promise<readonly Atom[]> {
  const atoms: Atom[] = [];
  for (let at = start; at + 8 <= end && atoms.length < max;) {
    const header = await source.read(at, 16);
    if (header.length < 8) break;
    const short = u32(header, 0);
    const headerSize = short === 1 ? 16 : 8;
    const size = short === 1 ? u64(header, 8) : short === 0 ? end - at : short;
    if (size < headerSize || !Number.isSafeInteger(at + size)) break;
    atoms.push({ name: name4(header, 4), start: at + headerSize, end: at + size });
    at += size;
  }
  return atoms;
}

export function childrenOf(source: ByteSource, atom: Atom, skip = 0): Promise<readonly Atom[]> {
  return atomsBetween(source, atom.start + skip, Math.min(atom.end, source.size), CHILDREN_MAX);
}

/** Follows a path of first children: `find(source, trak, 'mdia', 'minf', 'stbl')`. */
export async function find(source: ByteSource, from: Atom, ...names: readonly string[]): Promise<Atom | undefined> {
  let at: Atom | undefined = from;
  for (const name of names) {
    if (at === undefined) return undefined;
    at = (await childrenOf(source, at)).find((child) => child.name === name);
  }
  return at;
}

export function content(source: ByteSource, atom: Atom, max = 1024 * 1024): Promise<Uint8Array> {
  return readExactly(source, atom.start, Math.min(atom.end - atom.start, max));
}
