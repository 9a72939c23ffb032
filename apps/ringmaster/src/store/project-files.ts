import type { StoredFile } from './files.ts';
import type { Tx } from './open.ts';

export interface FileContent {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What is known of the files that people write. */
export function knownProjectFiles(tx: Tx): StoredFile[] {
  return tx.all<StoredFile>(`SELECT * FROM files WHERE kind = 'project' AND deleted_at IS NULL ORDER BY path`);
}

/** The journal keeps the hash that was there, so every version can be found again. */
export function recordProjectFile(tx: Tx, { path, bytes, sha256 }: FileContent, now: string): void {
  tx.run(
    `INSERT INTO files (path, kind, bytes, sha256, created_at) VALUES (?1, 'project', ?2, ?3, ?4)
     ON CONFLICT (path) DO UPDATE SET bytes = ?2, sha256 = ?3, created_at = ?4, deleted_at = NULL`,
    path,
    bytes,
    sha256,
    now,
  );
}
