import { toTimestamp } from '@holdfast/base';
import type { Transaction } from '@holdfast/keyspace';

import { limits } from '../model/limits.ts';
import { hashSecret } from '../model/secret.ts';
import type { Session } from '../model/session.ts';
import type { CleanSource } from '../model/source.ts';
import { devices, sessions } from '../store/sessions.ts';
import type { Dependencies } from './dependencies.ts';
import type { SessionView, UserView } from './views.ts';

/** Result of a sign-in, with the only copies of both secrets. */
export interface SignedIn {
  readonly user: UserView;
  readonly session: SessionView;
  /** For the session cookie. */
  readonly token: string;
  /** For a separate long-lived cookie, sent with later sign-ins; undefined when the browser has one. */
  readonly deviceToken: string | undefined;
}

/** Always creates a session, so a token from before the sign-in never becomes valid (session fixation). */
export async function startSession(
  transaction: Transaction,
  { clock, settings }: Dependencies,
  start: { readonly id: string; readonly userId: string; readonly token: string; readonly source: CleanSource },
): Promise<Session> {
  const now = clock();
  const session: Session = {
    id: start.id,
    user_id: start.userId,
    token_hash: hashSecret(start.token),
    created_at: toTimestamp(now),
    last_seen_at: toTimestamp(now),
    expires_at: toTimestamp(now + settings.sessionAbsoluteMs),
    idle_expires_at: toTimestamp(now + Math.min(settings.sessionIdleMs, settings.sessionAbsoluteMs)),
    ip: start.source.ip,
    user_agent: start.source.userAgent,
    revoked: false,
    version: 1,
  };
  const others = await transaction.list(sessions.by.user, { user_id: start.userId });
  for (const { id } of others.slice(0, Math.max(0, others.length - limits.sessionsPerUser + 1))) {
    await transaction.delete(sessions, { id });
  }
  await transaction.insert(sessions, { id: session.id }, session);
  return session;
}

/** Remembers a browser that knew the password. */
export async function rememberDevice(
  transaction: Transaction,
  { clock, settings }: Dependencies,
  device: { readonly id: string; readonly userId: string; readonly token: string },
): Promise<void> {
  const now = clock();
  const others = await transaction.list(devices.by.user, { user_id: device.userId });
  for (const { id } of others.slice(0, Math.max(0, others.length - limits.devicesPerUser + 1))) {
    await transaction.delete(devices, { id });
  }
  await transaction.insert(
    devices,
    { id: device.id },
    {
      id: device.id,
      user_id: device.userId,
      token_hash: hashSecret(device.token),
      created_at: toTimestamp(now),
      expires_at: toTimestamp(now + settings.deviceMs),
      version: 1,
    },
  );
}
