import type { Tx } from './open.ts';

/**
 * A file that the state refers to. It never changes; its row records a deletion. Only files that people edit
 * (`project`) get new content and a new hash.
 */
export interface StoredFile {
  readonly path: string;
  readonly kind: 'media' | 'iteration' | 'prompt' | 'context' | 'summary' | 'project';
  readonly bytes: number;
  readonly sha256: string;
  readonly created_at: string;
  readonly deleted_at: string | null;
}

export function registerFile(tx: Tx, file: Omit<StoredFile, 'deleted_at'>): void {
  tx.run(
    `INSERT INTO files (path, kind, bytes, sha256, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (path) DO UPDATE SET deleted_at = NULL`,
    file.path,
    file.kind,
    file.bytes,
    file.sha256,
    file.created_at,
  );
}

export function presentFiles(tx: Tx): StoredFile[] {
  return tx.all<StoredFile>('SELECT * FROM files WHERE deleted_at IS NULL ORDER BY path');
}

/** Output of attempts that ended before a time. */
export function oldIterationFiles(tx: Tx, before: string): StoredFile[] {
  return tx.all<StoredFile>(
    `SELECT f.* FROM files f JOIN attempts a ON a.output_path = f.path
     WHERE f.kind = 'iteration' AND f.deleted_at IS NULL AND a.ended_at < ?1
     UNION
     SELECT f.* FROM files f JOIN iterations i ON f.path IN (i.log_path, i.prompt_path, i.context_path)
     JOIN attempts a ON a.id = i.attempt_id WHERE f.deleted_at IS NULL AND a.ended_at < ?1
     ORDER BY path`,
    before,
  );
}

/** Our files that should be gone; not those that people removed. */
export function deletedFiles(tx: Tx): StoredFile[] {
  return tx.all<StoredFile>(`SELECT * FROM files WHERE deleted_at IS NOT NULL AND kind <> 'project' ORDER BY path`);
}

export function markDeleted(tx: Tx, path: string, now: string): void {
  tx.run('UPDATE files SET deleted_at = ? WHERE path = ?', now, path);
}

export interface FileContent {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Stored state of the files that people edit themselves. */
export function knownProjectFiles(tx: Tx): StoredFile[] {
  return tx.all<StoredFile>(`SELECT * FROM files WHERE kind = 'project' AND deleted_at IS NULL ORDER BY path`);
}

/** The journal keeps the previous hash, so every version can be found again. */
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
