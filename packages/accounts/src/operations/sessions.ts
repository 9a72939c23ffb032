import { boolean, integer, nullable, object, operationsOf, optional, pageOf, text, time } from '@holdfast/operation';

import type { Accounts } from '../accounts.ts';
import { accountErrors } from '../errors.ts';
import { actorOf, subjectOf } from './subject.ts';

const defineOperation = operationsOf<Accounts>();

const SIGN_INS = 'Agents use tokens instead of sessions';

const owner = optional(
  text('User to whom the sessions belong; defaults to the owner of the server', { min: 1, max: 320, label: 'user' }),
);
const current = optional(text('Id of the current session'));

const sessionObject = object(
  {
    id: text(),
    created_at: time(),
    last_seen_at: time(),
    expires_at: time(),
    ip: nullable(text()),
    user_agent: nullable(text()),
    is_current: boolean(),
  },
  { id: 'Session' },
);

export const listSessions = defineOperation({
  name: 'session.list',
  summary: 'List signed-in browsers',
  permission: 'account:read',
  input: { user: owner, current },
  output: pageOf(sessionObject),
  errors: [accountErrors.USER_NOT_FOUND],
  absent: { mcp: SIGN_INS },
  run:
    async () =>
    async (accounts, { user, current: own }, caller) => {
      const found = await accounts.listSessions(await subjectOf(accounts, user, caller));
      return { data: found.map((session) => ({ ...session, is_current: session.id === own })), next_cursor: null };
    },
});

export const revokeSession = defineOperation({
  name: 'session.revoke',
  summary: 'End a session',
  permission: 'account:admin',
  input: { id: text('Session id', { min: 1, label: 'id' }), user: owner },
  output: object({ id: text() }),
  errors: [accountErrors.SESSION_NOT_FOUND],
  absent: { mcp: SIGN_INS },
  run:
    async () =>
    async (accounts, { id, user }, caller) => {
      const userId = await subjectOf(accounts, user, caller);
      await accounts.revokeSession({ userId, sessionId: id, actor: actorOf(caller) });
      return { id };
    },
});

export const revokeOtherSessions = defineOperation({
  name: 'session.revoke_others',
  summary: 'End all sessions except the current one',
  permission: 'account:admin',
  input: { user: owner, current },
  output: object({ revoked: integer() }),
  errors: [accountErrors.USER_NOT_FOUND],
  absent: { mcp: SIGN_INS },
  run:
    async () =>
    async (accounts, { user, current: own }, caller) => {
      const userId = await subjectOf(accounts, user, caller);
      return {
        revoked: await accounts.revokeSessions({ userId, exceptSessionId: own, actor: actorOf(caller) }),
      };
    },
});
