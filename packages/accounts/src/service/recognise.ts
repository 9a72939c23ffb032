import { isWithinLifetime } from '../model/time.ts';
import { hashSecret, secretKind } from '../model/secret.ts';
import { isLive, type Session } from '../model/session.ts';
import { devices, sessions } from '../store/sessions.ts';
import type { Dependencies } from './dependencies.ts';

/** Cookies of the browser at a sign-in. */
export interface Recognition {
  readonly deviceToken?: string | undefined;
  readonly sessionToken?: string | undefined;
}

/** Returns the counter id of a browser that has signed in as this user before. */
export async function recognise(
  dependencies: Dependencies,
  userId: string | undefined,
  { deviceToken, sessionToken }: Recognition,
): Promise<{ readonly known: string | undefined; readonly hasDevice: boolean }> {
  const { keyspace, clock } = dependencies;
  if (deviceToken !== undefined && secretKind(deviceToken) === 'device') {
    const device = await keyspace.find(devices.by.hash, { token_hash: hashSecret(deviceToken) });
    if (device !== undefined && device.user_id === userId && isWithinLifetime(device, clock())) {
      return { known: `device-${device.id}`, hasDevice: true };
    }
  }
  const session = await findLiveSession(dependencies, sessionToken);
  const isOurs = session !== undefined && session.user_id === userId;
  return { known: isOurs ? `session-${session.id}` : undefined, hasDevice: false };
}

/** Takes two reads, whatever the number of sessions. */
export async function findLiveSession(
  { keyspace, clock, settings }: Dependencies,
  token: string | undefined,
): Promise<Session | undefined> {
  if (token === undefined || secretKind(token) !== 'session') return undefined;
  const session = await keyspace.find(sessions.by.hash, { token_hash: hashSecret(token) });
  return session !== undefined && isLive(session, settings, clock()) ? session : undefined;
}
