import { MEBIBYTE, SECOND } from '@holdfast/base';

import { codexErrors } from './errors.ts';

/** The settings of the seed, in its units and with its defaults, and ours. Each is `HOLDFAST_CODEX_` and its name in capitals. */
export interface Settings {
  /** Events that one look at the queue takes. */
  readonly worker_batch_size: number;
  /** Notebooks that are worked on at the same time. */
  readonly worker_pool_size: number;
  /** Seconds until a commit at the latest, counted from the first change that waits for it. */
  readonly git_commit_interval: number;
  /** Seconds without a change after which a commit is made. */
  readonly git_quiet_interval: number;
  readonly git_commit_max_files: number;
  /** Longer files are kept out of git, with the reason shown. */
  readonly git_max_file_bytes: number;
  readonly max_retries: number;
  /** Seconds; doubles with each try, with full jitter. */
  readonly retry_backoff: number;
  readonly retry_backoff_max: number;
  /** Seconds */
  readonly completed_event_retention: number;
  readonly failed_event_retention: number;
  /** Seconds that deleted files stay in the trash. */
  readonly trash_retention: number;
  /** Waiting operations of one notebook before more are refused. */
  readonly max_pending: number;
  readonly max_file_bytes: number;
  /** Seconds that a lane belongs to its process without a sign of life. */
  readonly lease: number;
  /** Seconds between comparisons of the whole folder with the index. */
  readonly reconcile_interval: number;
  /** Whether the server watches the folders. */
  readonly watch: boolean;
  /** Folders below which notebooks may be made, with colons between them; anywhere when it is empty. */
  readonly roots: string;
  /** The folder of the notebook whose texts are templates. */
  readonly template_folder: string;
  /** Where the note of a day is, with the variables of templates. */
  readonly daily_path: string;
  /** The file that the note of a day begins as; a heading when there is none. */
  readonly daily_template: string;
  /** Whether links in other notes follow a file that is moved. */
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
