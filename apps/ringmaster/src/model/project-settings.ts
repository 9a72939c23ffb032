import type { Config } from './config.ts';
import { ringmasterErrors } from './errors.ts';

export const reviews = ['none', 'person', 'command'] as const;
type Review = (typeof reviews)[number];

/**
 * The `settings` of a project, as in the ringmaster design document. They override [run] in ringmaster.toml and the
 * settings of workers.
 */
export interface ProjectSettings {
  readonly repository?: string;
  readonly test_command?: readonly string[];
  readonly review?: Review;
  readonly review_command?: readonly string[];
  readonly auto_merge?: boolean;
  /** Id or type of the worker that gets the project's tasks. */
  readonly worker?: string;
  readonly model?: string;
  /** Additional arguments for the project's workers. */
  readonly worker_args?: readonly string[];
}
export type SettingName = keyof ProjectSettings;
/** Null removes a setting, so that ringmaster.toml applies again. */
export type SettingChanges = { readonly [Name in SettingName]?: ProjectSettings[Name] | null | undefined };

interface SettingKind {
  readonly wanted: string;
  readonly isValid: (value: unknown) => boolean;
  /** Converts command-line arguments to the value of the setting. */
  readonly ofWords: (words: readonly string[]) => unknown;
}

const command: SettingKind = {
  wanted: 'a command as a list of words',
  isValid: (value) => Array.isArray(value) && value.every((word) => typeof word === 'string') && value[0] !== '',
  // One empty argument means no command, which overrides the command in ringmaster.toml.
  ofWords: (words) => (words.length === 1 && words[0] === '' ? [] : words),
};
const single = (words: readonly string[]): unknown => (words.length === 1 ? words[0] : undefined);

const nonEmpty = (wanted: string): SettingKind => ({
  wanted,
  isValid: (value) => typeof value === 'string' && value !== '',
  ofWords: single,
});

const truth: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

const kinds: Readonly<Record<SettingName, SettingKind>> = {
  repository: nonEmpty('a folder'),
  test_command: command,
  review: {
    wanted: reviews.join(', '),
    isValid: (value) => reviews.some((review) => review === value),
    ofWords: single,
  },
  review_command: command,
  auto_merge: {
    wanted: 'true or false',
    isValid: (value) => typeof value === 'boolean',
    ofWords: (words) => truth.get(words.join(' ')),
  },
  worker: nonEmpty('the id or type of a worker'),
  model: nonEmpty('the name of a model'),
  worker_args: { ...command, wanted: 'a list of arguments' },
};

export const settingNames = Object.keys(kinds) as SettingName[];

export function settingOfWords(name: SettingName, words: readonly string[]): SettingChanges {
  return { [name]: checked(name, kinds[name].ofWords(words)) };
}

function checked(name: SettingName, value: unknown): unknown {
  if (kinds[name].isValid(value)) return value;
  const given = value === undefined ? '' : `, not ${JSON.stringify(value)}`;
  throw ringmasterErrors.SETTING_INVALID(`${name} must be ${kinds[name].wanted}${given}`);
}

/** Reads stored settings and ignores unknown keys. */
export function readSettings(stored: string | null): ProjectSettings {
  const all = storedObject(stored);
  const ours = settingNames.filter((name) => all[name] !== undefined && all[name] !== null);
  return Object.fromEntries(ours.map((name) => [name, checked(name, all[name])]));
}

/** Applies changes and keeps unknown keys; null if nothing is left. */
export function changeSettings(stored: string | null, changes: SettingChanges): string | null {
  const all = { ...storedObject(stored) };
  for (const name of settingNames) {
    const value = changes[name];
    if (value === null) delete all[name];
    else if (value !== undefined) all[name] = checked(name, value);
  }
  return Object.keys(all).length === 0 ? null : JSON.stringify(all);
}

function storedObject(stored: string | null): Readonly<Record<string, unknown>> {
  if (stored === null || stored === '') return {};
  try {
    const parsed: unknown = JSON.parse(stored);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  } catch {
    // The text is not JSON, which the error below reports.
  }
  throw ringmasterErrors.SETTING_INVALID('The stored settings of the project are not a JSON object');
}

/**
 * Returns the settings that apply: the project's own settings, and those of [run] for the rest. An empty `repository`
 * means the worker's folder.
 */
export function settingsInForce(run: Config['run'], own: ProjectSettings): Required<ProjectSettings> {
  const { test_command, review, review_command, auto_merge } = run;
  const everyWorker = { worker: '', model: '', worker_args: [] };
  return { repository: '', test_command, review: review as Review, review_command, auto_merge, ...everyWorker, ...own };
}
