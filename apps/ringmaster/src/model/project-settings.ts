import type { Config } from './config.ts';
import { ringmasterErrors } from './errors.ts';

export const reviews = ['none', 'person', 'command'] as const;
type Review = (typeof reviews)[number];

/** The seed's `settings` of a project: what it wants differently from [run] of ringmaster.toml and from its workers. */
export interface ProjectSettings {
  readonly repository?: string;
  readonly test_command?: readonly string[];
  readonly review?: Review;
  readonly review_command?: readonly string[];
  readonly auto_merge?: boolean;
}
export type SettingName = keyof ProjectSettings;
/** Null takes a setting off, so that ringmaster.toml counts again. */
export type SettingChanges = { readonly [Name in SettingName]?: ProjectSettings[Name] | null | undefined };

interface SettingKind {
  readonly wanted: string;
  readonly isValid: (value: unknown) => boolean;
  /** From the words of a command line. */
  readonly ofWords: (words: readonly string[]) => unknown;
}

const command: SettingKind = {
  wanted: 'a command, word by word',
  isValid: (value) => Array.isArray(value) && value.every((word) => typeof word === 'string') && value[0] !== '',
  // One empty word is how a shell writes "nothing": no tests, where ringmaster.toml has some.
  ofWords: (words) => (words.length === 1 && words[0] === '' ? [] : words),
};
const single = (words: readonly string[]): unknown => (words.length === 1 ? words[0] : undefined);

const truth: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

const kinds: Readonly<Record<SettingName, SettingKind>> = {
  repository: {
    wanted: 'a folder',
    isValid: (value) => typeof value === 'string' && value !== '',
    ofWords: single,
  },
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
};

export const settingNames = Object.keys(kinds) as SettingName[];

export function settingOfWords(name: SettingName, words: readonly string[]): SettingChanges {
  return { [name]: checked(name, kinds[name].ofWords(words)) };
}

function checked(name: SettingName, value: unknown): unknown {
  if (kinds[name].isValid(value)) return value;
  const given = value === undefined ? '' : `, not ${JSON.stringify(value)}`;
  throw ringmasterErrors.SETTING_INVALID(`${name} is ${kinds[name].wanted}${given}`);
}

/** What is stored. Keys that are not ours are left to whoever put them there. */
export function readSettings(stored: string | null): ProjectSettings {
  const all = storedObject(stored);
  const ours = settingNames.filter((name) => all[name] !== undefined && all[name] !== null);
  return Object.fromEntries(ours.map((name) => [name, checked(name, all[name])]));
}

/** What is to be stored after the changes; null when nothing is left. */
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
    // Said below.
  }
  throw ringmasterErrors.SETTING_INVALID('The settings of the project are stored as something else than a JSON object');
}

/** What counts for the tasks of a project. No repository: each worker has its own folder. */
export function settingsInForce(run: Config['run'], own: ProjectSettings): Required<ProjectSettings> {
  const { test_command, review, review_command, auto_merge } = run;
  return { repository: '', test_command, review: review as Review, review_command, auto_merge, ...own };
}
