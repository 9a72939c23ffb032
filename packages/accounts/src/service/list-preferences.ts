import type { Json } from '../model/preference.ts';
import { preferences } from '../store/preferences.ts';
import type { Dependencies } from './dependencies.ts';

export interface Preference {
  readonly key: string;
  readonly value: Json;
}

/** A list, not an object: keys come from outside, and `constructor` is a key like any other. */
export async function listPreferences({ keyspace }: Dependencies, userId: string): Promise<readonly Preference[]> {
  const found = await keyspace.entries(preferences, { user: userId });
  return found.map(({ key, value }) => ({ key: key.key, value }));
}
