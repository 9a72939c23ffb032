import { type Json, parsePreferenceKey } from '../model/preference.ts';
import { preferences } from '../store/preferences.ts';
import type { Dependencies } from './dependencies.ts';

/** Undefined when it was never set; null is a value like any other. */
export async function getPreference(
  { keyspace }: Dependencies,
  userId: string,
  key: string,
): Promise<Json | undefined> {
  return keyspace.get(preferences, { user: userId, key: parsePreferenceKey(key) });
}
