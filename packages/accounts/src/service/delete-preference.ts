import { parsePreferenceKey } from '../model/preference.ts';
import { preferences } from '../store/preferences.ts';
import type { Dependencies } from './dependencies.ts';

/** Returns whether there was one. */
export async function deletePreference({ keyspace }: Dependencies, userId: string, key: string): Promise<boolean> {
  const place = { user: userId, key: parsePreferenceKey(key) };
  return keyspace.transact((transaction) => transaction.delete(preferences, place));
}
