export interface TreeEntry {
  /** Mode as git writes it: 100644, 100755, 120000 for a symbolic link, 160000 for a submodule, 40000 for a folder. */
  readonly mode: string;
  readonly oid: string;
}

/** The tree of the next commit's parent. Paths are relative to the notebook. */
export interface TreeReader {
  entry(path: string): Promise<TreeEntry | undefined>;
  filesBelow(folder: string): Promise<readonly (readonly [path: string, entry: TreeEntry])[]>;
}

export const FOLDER_MODE = '40000';
export const FILE_MODE = '100644';
export const EXECUTABLE_MODE = '100755';

/** Parses a tree object: repeated `mode SP name NUL oid`, with the oid in raw bytes. */
export function parseTree(bytes: Uint8Array, oidBytes: number): ReadonlyMap<string, TreeEntry> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = new Map<string, TreeEntry>();
  let at = 0;
  while (at < buffer.length) {
    const space = buffer.indexOf(0x20, at);
    const end = buffer.indexOf(0, space);
    if (space < 0 || end < 0) throw new RangeError('A tree object of git ends in the middle of an entry');
    const mode = buffer.toString('latin1', at, space);
    const name = buffer.toString('utf8', space + 1, end);
    at = end + 1 + oidBytes;
    entries.set(name, { mode, oid: buffer.toString('hex', end + 1, at) });
  }
  return entries;
}
