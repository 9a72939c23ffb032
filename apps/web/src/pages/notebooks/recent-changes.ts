import type { CodexEvent } from '../../api/types.ts';

interface ChangedFile {
  readonly fileId: string;
  readonly path: string;
  readonly at: string;
  readonly author: string;
}

const SHOWN = 12;

/** Recently changed files, newest first, without deleted ones. */
export function recentChanges(events: readonly CodexEvent[]): readonly ChangedFile[] {
  const seen = new Set<string>();
  const files: ChangedFile[] = [];
  for (const event of events.toSorted((left, right) => right.id - left.id)) {
    const fileId = idOf(event);
    const path = event.dest_path ?? event.path;
    if (fileId === undefined || path === null || event.status !== 'completed' || seen.has(fileId)) continue;
    if (event.result?.['unchanged'] === true) continue;
    seen.add(fileId);
    if (event.event_type === 'delete') continue;
    files.push({ fileId, path, at: event.processed_at ?? event.created_at, author: event.author });
    if (files.length === SHOWN) break;
  }
  return files;
}

function idOf({ file_id: fileId, result, operation }: CodexEvent): string | undefined {
  if (operation['kind'] === 'folder') return undefined;
  const found = fileId ?? result?.['file_id'];
  return typeof found === 'string' ? found : undefined;
}
