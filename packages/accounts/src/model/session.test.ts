import { DAY, HOUR, MINUTE, toTimestamp } from '@holdfast/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { defaultSettings } from './limits.ts';
import { isLive, type Session } from './session.ts';

const created = Date.UTC(2026, 0, 19);
const settings = { ...defaultSettings, sessionIdleMs: DAY, sessionAbsoluteMs: 10 * DAY };

function sessionSeenAt(lastSeen: number, parts: Partial<Session> = {}): Session {
  return {
    id: '01HX0000000000000000000000',
    user_id: '01HX0000000000000000000001',
    token_hash: '0'.repeat(64),
    created_at: toTimestamp(created),
    last_seen_at: toTimestamp(lastSeen),
    expires_at: toTimestamp(created + settings.sessionAbsoluteMs),
    idle_expires_at: toTimestamp(lastSeen + settings.sessionIdleMs),
    ip: '127.0.0.1',
    user_agent: '',
    revoked: false,
    version: 1,
    ...parts,
  };
}

describe('a session', () => {
  it('ends when nobody uses it, to the millisecond', () => {
    const session = sessionSeenAt(created);
    expect(isLive(session, settings, created + DAY - 1)).toBe(true);
    expect(isLive(session, settings, created + DAY)).toBe(false);
  });

  it('ends at its absolute limit, however much it is used', () => {
    const session = sessionSeenAt(created + 10 * DAY - 1);
    expect(isLive(session, settings, created + 10 * DAY - 1)).toBe(true);
    expect(isLive(session, settings, created + 10 * DAY)).toBe(false);
  });

  it('ends when it is revoked', () => {
    expect(isLive(sessionSeenAt(created, { revoked: true }), settings, created)).toBe(false);
  });

  it('feels stricter settings at once, and looser ones never', () => {
    const session = sessionSeenAt(created);
    expect(isLive(session, { ...settings, sessionIdleMs: HOUR }, created + 2 * HOUR)).toBe(false);
    expect(isLive(session, { ...settings, sessionAbsoluteMs: HOUR }, created + 2 * HOUR)).toBe(false);
    expect(isLive(session, { ...settings, sessionIdleMs: 90 * DAY }, created + 2 * DAY)).toBe(false);
  });

  it('lives through the small corrections of NTP', () => {
    expect(isLive(sessionSeenAt(created), settings, created - MINUTE)).toBe(true);
  });

  it('is refused at every moment outside of its configured life, whatever it says of itself', () => {
    const around = fc.integer({ min: -400 * DAY, max: 400 * DAY });
    fc.assert(
      fc.property(around, around, around, around, (seen, expires, idle, later) => {
        const session = sessionSeenAt(created + seen, {
          expires_at: toTimestamp(created + expires),
          idle_expires_at: toTimestamp(created + idle),
        });
        const now = created + later;
        if (!isLive(session, settings, now)) return;
        expect(later).toBeGreaterThanOrEqual(-2 * MINUTE);
        expect(later).toBeLessThan(settings.sessionAbsoluteMs);
        expect(later - seen).toBeLessThan(settings.sessionIdleMs);
        expect(later).toBeLessThan(Math.min(expires, idle));
      }),
      { numRuns: 2_000 },
    );
  });
});
