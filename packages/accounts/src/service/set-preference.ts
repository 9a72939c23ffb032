import { accountErrors } from '../errors.ts';
import { limits } from '../model/limits.ts';
import { parsePreferenceKey, parsePreferenceValue } from '../model/preference.ts';
import { preferences } from '../store/preferences.ts';
import type { Dependencies } from './dependencies.ts';
import { requireUser } from './find-user.ts';

export async function setPreference(
  { keyspace }: Dependencies,
  userId: string,
  key: string,
  value: unknown,
): Promise<void> {
  const place = { user: userId, key: parsePreferenceKey(key) };
  const json = parsePreferenceValue(value);
  await keyspace.transact(async (transaction) => {
    await requireUser(transaction, userId);
    if ((await transaction.get(preferences, place)) === undefined) {
      const limit = limits.preferencesPerUser;
      const others = await transaction.entries(preferences, { user: userId }, { limit });
      if (others.length >= limit) throw accountErrors.PREFERENCE_LIMIT(`There are ${limit} preferences already`);
    }
    await transaction.put(preferences, place, json);
  });
}
