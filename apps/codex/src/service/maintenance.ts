import { HOUR, toTimestamp } from '@holdfast/base';

import { isNotebook } from '../adapters/notebook-folder.ts';
import { oldBlobs, removeBlob, removeOldTemporaries, removeTrash } from '../adapters/blobs.ts';
import { milliseconds } from '../model/settings.ts';
import { listNotebooks } from '../store/notebooks.ts';
import { isContentNeeded, pruneEvents } from '../store/events.ts';
import { dropTrash, oldTrash } from '../store/files.ts';
import type { CodexContext } from './context.ts';
import { trashPath } from './handlers/trash.ts';

const EVENTS_AT_ONCE = 500;
/**
 * Staged content is kept for this long after its last use, because a caller may be about to add an event that refers to
 * it.
 */
const STAGED_GRACE_MS = HOUR;

export interface Housekeeping {
  readonly events: number;
  readonly blobs: number;
  readonly trash: number;
}

/** Removes expired data: ended events, trash, and unreferenced staged content. */
export async function maintain(codex: CodexContext): Promise<Housekeeping> {
  const { store, settings, clock } = codex;
  const now = clock();
  const doneBefore = toTimestamp(now - milliseconds(settings.completed_event_retention));
  const failedBefore = toTimestamp(now - milliseconds(settings.failed_event_retention));
  let events = 0;
  for (;;) {
    // Small commits, so that other writers do not wait long for the write lock.
    const removed = await store.write('codex prune', (tx) => pruneEvents(tx, doneBefore, failedBefore, EVENTS_AT_ONCE));
    events += removed;
    if (removed < EVENTS_AT_ONCE) break;
  }
  let blobs = 0;
  let trash = 0;
  for (const { id, path } of listNotebooks(store.reader)) {
    // The folder is missing. Its trash cannot be removed now, so the records of the trash must stay.
    if (!isNotebook(path)) continue;
    removeOldTemporaries(path, now - STAGED_GRACE_MS);
    for (const hash of oldBlobs(path, now - STAGED_GRACE_MS)) {
      if (isContentNeeded(store.reader, id, hash)) continue;
      removeBlob(path, hash, now - STAGED_GRACE_MS);
      blobs += 1;
    }
    for (const { event_id } of oldTrash(store.reader, id, toTimestamp(now - milliseconds(settings.trash_retention)))) {
      removeTrash(path, trashPath(event_id));
      await store.write('codex empty trash', (tx) => dropTrash(tx, event_id));
      trash += 1;
    }
  }
  return { events, blobs, trash };
}
