import { MEBIBYTE, SECOND } from '@holdfast/base';

import { codexErrors } from './errors.ts';

/**
 * Settings of the design document, with its units and defaults, and ours. Environment variables are `HOLDFAST_CODEX_`
 * and the name in capitals.
 */
export interface Settings {
  /** Maximum number of events per group. */
  readonly worker_batch_size: number;
  /** Notebooks that are worked on at the same time. */
  readonly worker_pool_size: number;
  /** Maximum seconds from the first pending change to its commit. */
  readonly git_commit_interval: number;
  /** Seconds without a change before a commit. */
  readonly git_quiet_interval: number;
  readonly git_commit_max_files: number;
  /** Larger files stay out of git, with the reason shown. */
  readonly git_max_file_bytes: number;
  readonly max_retries: number;
  /** Seconds; the limit doubles with each retry, with full jitter. */
  readonly retry_backoff: number;
  readonly retry_backoff_max: number;
  /** Seconds */
  readonly completed_event_retention: number;
  readonly failed_event_retention: number;
  /** Seconds that deleted files stay in the trash. */
  readonly trash_retention: number;
  /** Maximum number of pending operations in a notebook; more are refused. */
  readonly max_pending: number;
  readonly max_file_bytes: number;
  /** Seconds until the lease of a lane expires without a heartbeat. */
  readonly lease: number;
  /** Seconds between comparisons of the whole folder with the index. */
  readonly reconcile_interval: number;
  readonly watch: boolean;
  /** Folders in which notebooks may be created, separated by colons; empty for any. */
  readonly roots: string;
  readonly template_folder: string;
  /** Path of the daily note, with template variables. */
  readonly daily_path: string;
  /** Template of the daily note; without one it starts with a heading. */
  readonly daily_template: string;
  /** True if links in other notes follow a moved file. */
  readonly rewrite_links: boolean;
  readonly attachment_folder: string;
  readonly attachment_max_bytes: number;
}

const defaults: Settings = {
  worker_batch_size: 50,
  worker_pool_size: 4,
  git_commit_interval: 5,
  git_quiet_interval: 1,
  git_commit_max_files: 100,
  git_max_file_bytes: 50 * MEBIBYTE,
  max_retries: 3,
  retry_backoff: 1,
  retry_backoff_max: 60,
  completed_event_retention: 86_400,
  failed_event_retention: 604_800,
  trash_retention: 604_800,
  max_pending: 10_000,
  max_file_bytes: 100 * MEBIBYTE,
  lease: 15,
  reconcile_interval: 600,
  watch: true,
  roots: '',
  template_folder: 'templates',
  daily_path: 'daily/{{date}}.md',
  daily_template: 'templates/daily.md',
  rewrite_links: true,
  attachment_folder: 'attachments',
  attachment_max_bytes: 25 * MEBIBYTE,
};

const INTEGERS: ReadonlySet<keyof Settings> = new Set([
  'worker_batch_size',
  'worker_pool_size',
  'git_commit_max_files',
  'git_max_file_bytes',
  'max_retries',
  'max_pending',
  'max_file_bytes',
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
  const wanted = isInteger ? 'a whole number from 1' : 'a number of seconds';
  throw codexErrors.SETTING_INVALID(`${variable} must be ${wanted}, not ${JSON.stringify(text)}`);
}

export function milliseconds(seconds: number): number {
  return seconds * SECOND;
}
