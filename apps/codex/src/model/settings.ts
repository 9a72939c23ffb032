import { MEBIBYTE, SECOND } from '@holdfast/base';

import { codexErrors } from './errors.ts';

/**
 * Settings from codex's design document, with its units and defaults, and settings that Holdfast adds. The environment
 * variable of a setting is `HOLDFAST_CODEX_` followed by its name in capitals.
 */
const defaults = {
  /** Maximum number of events per group. */
  worker_batch_size: 50,
  /** Number of notebooks that are processed at the same time. */
  worker_pool_size: 4,
  /** Maximum seconds from the first pending change to its commit. */
  git_commit_interval: 5,
  /** Seconds without a change before a commit. */
  git_quiet_interval: 1,
  /** Number of pending changes that triggers a commit, not counting changes by other programs. */
  git_commit_max_files: 100,
  /** Larger files are not committed; the status shows the reason. */
  git_max_file_bytes: 50 * MEBIBYTE,
  max_retries: 3,
  /**
   * Maximum delay of the first retry, in seconds. The maximum doubles with each retry; the actual delay is random (full
   * jitter).
   */
  retry_backoff: 1,
  retry_backoff_max: 60,
  /** Seconds that completed events are kept. */
  completed_event_retention: 86_400,
  failed_event_retention: 604_800,
  /** Seconds that deleted files stay in the trash. */
  trash_retention: 604_800,
  /** Maximum number of pending operations in a notebook; more are refused. */
  max_pending: 10_000,
  max_file_bytes: 100 * MEBIBYTE,
  /** Seconds without a heartbeat after which a lane's lease expires. */
  lease: 15,
  /** Seconds between comparisons of the whole folder with the index. */
  reconcile_interval: 600,
  watch: true,
  /** Seconds between syncs with a notebook's remotes; 0 syncs only on request. */
  sync_interval: 300,
  /** Maximum number of bytes that a remote may send in one sync. */
  sync_max_bytes: 1024 * MEBIBYTE,
  /** Folders in which notebooks may be created, separated by colons; empty for any. */
  roots: '',
  template_folder: 'templates',
  /** Path of the daily note, with template variables. */
  daily_path: 'daily/{{date}}.md',
  /** Template of the daily note. If the file does not exist, the note starts with a heading. */
  daily_template: 'templates/daily.md',
  /** True to update the links in other notes when a file is moved. */
  rewrite_links: true,
  attachment_folder: 'attachments',
  attachment_max_bytes: 25 * MEBIBYTE,
};

export type Settings = Readonly<typeof defaults>;

const INTEGERS: ReadonlySet<keyof Settings> = new Set([
  'worker_batch_size',
  'worker_pool_size',
  'git_commit_max_files',
  'git_max_file_bytes',
  'max_retries',
  'max_pending',
  'max_file_bytes',
  'sync_max_bytes',
  'attachment_max_bytes',
] as const);

export function settingsFrom(env: Readonly<Record<string, string | undefined>>): Settings {
  const found: Record<string, number | boolean | string> = {};
  for (const [name, fallback] of Object.entries(defaults) as [keyof Settings, number | boolean | string][]) {
    const variable = `HOLDFAST_CODEX_${name.toUpperCase()}`;
    const text = env[variable];
    if (text === undefined || text === '') continue;
    if (typeof fallback === 'string') found[name] = text;
    else
      found[name] = typeof fallback === 'boolean' ? flag(variable, text) : amount(variable, text, INTEGERS.has(name));
  }
  return { ...defaults, ...found };
}

function flag(variable: string, text: string): boolean {
  if (/^(1|on|true|yes)$/iu.test(text)) return true;
  if (/^(0|off|false|no)$/iu.test(text)) return false;
  throw codexErrors.SETTING_INVALID(`${variable} must be on or off, not ${JSON.stringify(text)}`);
}

function amount(variable: string, text: string, isInteger: boolean): number {
  const value = Number(text);
  const isGood = isInteger ? Number.isSafeInteger(value) && value >= 1 : Number.isFinite(value) && value >= 0;
  if (isGood) return value;
  const wanted = isInteger ? 'a whole number of at least 1' : 'a number of seconds';
  throw codexErrors.SETTING_INVALID(`${variable} must be ${wanted}, not ${JSON.stringify(text)}`);
}

export function milliseconds(seconds: number): number {
  return seconds * SECOND;
}
