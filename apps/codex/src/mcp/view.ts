import type { CommitView } from '../git/commit-view.ts';
import type { HistoryEntry } from '../model/git/log.ts';
import type { EventResult, FileEvent } from '../model/event.ts';
import type { FileRecord } from '../model/notebook.ts';

/** Text for a model: everything it needs, and nothing that only looks nice. */

export function filesText(files: readonly FileRecord[], isCut: boolean): string {
  if (files.length === 0) return 'No files.';
  const lines = files.map(({ path, size, updated_at }) => `${path} (${size} bytes, ${updated_at})`);
  return isCut ? `${lines.join('\n')}\n\nMore: list again with after: ${files.at(-1)?.path ?? ''}` : lines.join('\n');
}

export function historyText(entries: readonly HistoryEntry[]): string {
  if (entries.length === 0) return 'Nothing is committed yet.';
  return entries
    .map(({ sha, at, author, subject, changes }) => {
      const paths = changes.map(({ change, path, from }) => `  ${change} ${from === null ? '' : `${from} → `}${path}`);
      return [`${sha.slice(0, 10)} ${at} ${author}: ${subject}`, ...paths.slice(0, 20)].join('\n');
    })
    .join('\n');
}

export function commitText(
  { sha, at, author, subject, files }: CommitView,
  charactersMax: number,
  path?: string,
): string {
  const chosen = path === undefined ? files : files.filter((file) => file.path === path || file.from === path);
  const diffs = chosen.map(({ diff, path: name }) => diff ?? `${name}: too long to show`);
  return `${sha} ${at} ${author}: ${subject}\n\n${diffs.join('\n')}`.slice(0, charactersMax);
}

export function eventText({ id, event_type, status, path, dest_path, result, commit_sha }: FileEvent): string {
  const where = dest_path === null ? (path ?? '') : `${path ?? ''} → ${dest_path}`;
  const { hash, conflict_path, file_count } = (result === null ? {} : JSON.parse(result)) as EventResult;
  return [
    `event ${id}: ${event_type} ${where} ${status}`,
    ...(hash === undefined ? [] : [`hash: ${hash}`]),
    ...(file_count === undefined ? [] : [`files: ${file_count}`]),
    ...(conflict_path === undefined ? [] : [`somebody else's version is kept as ${conflict_path}`]),
    ...(commit_sha === null ? [] : [`commit: ${commit_sha}`]),
  ].join('\n');
}
