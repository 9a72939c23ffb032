import { z } from 'zod';
import { FINISHED_WHEN } from './progress-rules.ts';

/**
 * Playback preferences. Each has its own key, as in the design document, so that two devices can change different ones.
 */

const speed = z.number().min(0.25).max(4);

const fields = {
  speed,
  skip_back_seconds: z.int().min(1).max(600),
  skip_forward_seconds: z.int().min(1).max(600),
  sleep_minutes: z.int().min(0).max(1_440),
  finished_when: z.object({ seconds: z.int().min(0).max(3_600), percent: z.number().min(50).max(100) }),
};

/** Each preference checks its own value when written. */
export const preferenceShape = z.object({ value: z.unknown(), version: z.literal(1) });

export const preferencesShape = z.object({
  ...fields,
  books: z.record(z.string(), z.object({ speed })).meta({ description: 'Speeds of single books, by their ids' }),
});
export type Preferences = z.infer<typeof preferencesShape>;

/** Omitted fields stay unchanged; null removes the speed of a book. */
export type PreferenceChanges = {
  readonly [Name in Exclude<keyof Preferences, 'books'>]?: Preferences[Name] | undefined;
} & {
  readonly books?: Readonly<Record<string, { readonly speed: number | null }>> | undefined;
};

export const DEFAULT_PREFERENCES: Preferences = {
  speed: 1,
  skip_back_seconds: 15,
  skip_forward_seconds: 30,
  sleep_minutes: 30,
  finished_when: FINISHED_WHEN,
  books: {},
};
