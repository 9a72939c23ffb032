import { sha256 } from '../adapters/files.ts';
import { ObjectStore } from '../adapters/object-store.ts';
import { ProjectFileReader } from '../adapters/project-files.ts';
import { recordEvent } from '../store/events.ts';
import { type FileContent, knownProjectFiles, markDeleted, recordProjectFile } from '../store/files.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export interface NoticedChanges {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/**
 * People edit project.md, conventions.md and context/ with their own programs. Callers that need them in the state call
 * this first: it stores changed content by hash and commits the new hashes, so that backups contain them and a restore
 * brings back the right version.
 */
export async function noticeProjectFiles(
  rm: Ringmaster,
  reader = new ProjectFileReader(rm.workspace.filesPath),
): Promise<NoticedChanges> {
  const found = new Map(reader.look().map((file) => [file.path, file.sha256]));
  const known = new Map(knownProjectFiles(rm.store.reader).map((file) => [file.path, file.sha256]));
  const removed = [...known.keys()].filter((path) => !found.has(path));
  const changed = [...found].filter(([path, hash]) => known.get(path) !== hash).map(([path]) => path);
  if (changed.length + removed.length === 0) return { changed, removed };
  const objects = new ObjectStore(rm.workspace.filesPath);
  const contents = changed.map((path): FileContent => {
    // Read and hash again: it may have changed since.
    const bytes = reader.read(path);
    const hash = sha256(bytes);
    objects.put(bytes, hash, new Date(rm.clock()));
    return { path, bytes: bytes.length, sha256: hash };
  });
  await rm.store.write('files of projects', (tx) => {
    const call = callOf(rm);
    for (const content of contents) recordProjectFile(tx, content, call.now);
    for (const path of removed) markDeleted(tx, path, call.now);
    const data = { changed, removed };
    recordEvent(tx, call, { type: 'project_files_changed', entity: 'store', id: 'projects', data });
  });
  return { changed, removed };
}
