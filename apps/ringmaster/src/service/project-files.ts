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
 * People edit project.md, conventions.md and context/ with their own programs, so nobody tells us when. Whoever needs
 * them to be part of the state looks first: what is new is kept by its content, and which content that was becomes a
 * commit like any other. So a backup has them, and a restore brings back those of its moment.
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
    // Read once more, and hashed from what was read: it may have changed since.
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
