import type { CodexEvent } from './codex-client.ts';

/** Whether what was done goes into the history. Git keeps no empty folders, and nothing where nothing changed. */
export function isForHistory({ operation, result }: CodexEvent): boolean {
  if (result?.['unchanged'] === true) return false;
  return operation['kind'] !== 'folder' || (result?.['file_count'] ?? 0) !== 0;
}
