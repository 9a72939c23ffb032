import { DAY } from '@holdfast/base';
import { integer, list, nullable, object, operationsOf, optional, pageOf, text, time } from '@holdfast/operation';

import type { Accounts } from '../accounts.ts';
import { accountErrors } from '../errors.ts';
import { actorOf, subjectOf } from './subject.ts';

const defineOperation = operationsOf<Accounts>();

const SECRETS = 'Agents must not extend their own access';

/** Enough for most programs: allows changing data, but not accounts. */
const DEFAULT_SCOPES = ['write'];

const tokenFields = {
  id: text(),
  name: text(),
  scopes: list(text()),
  starts_with: text(),
  created_at: time(),
  expires_at: nullable(time()),
  last_used_at: nullable(time()),
} as const;

const owner = optional(
  text('User to whom the tokens belong; defaults to the owner of the server', { min: 1, max: 320, label: 'user' }),
);

export const listTokens = defineOperation({
  name: 'token.list',
  summary: 'List personal tokens',
  permission: 'account:read',
  input: { user: owner },
  output: pageOf(object(tokenFields, { id: 'Token' })),
  errors: [accountErrors.USER_NOT_FOUND],
  absent: { mcp: SECRETS },
  run: async () => async (accounts, input, caller) => ({
    data: await accounts.listTokens(await subjectOf(accounts, input.user, caller)),
    next_cursor: null,
  }),
});

export const createToken = defineOperation({
  name: 'token.create',
  summary: 'Create a token for a program; its secret is shown only once',
  permission: 'account:admin',
  input: {
    name: text('Purpose of the token', { min: 1, max: 200 }),
    scopes: optional(
      list(
        text('Scope: read, write (default), admin, or a narrower one such as app:np:write', {
          max: 100,
          label: 'scope',
        }),
        {
          max: 20,
        },
      ),
    ),
    days: optional(integer('Days until the token expires; default: the token never expires', { min: 1, max: 3_650 })),
    user: owner,
  },
  output: object({ ...tokenFields, secret: text('The token itself; shown only once') }),
  errors: [accountErrors.USER_NOT_FOUND, accountErrors.TOKEN_REQUEST_INVALID, accountErrors.TOKEN_LIMIT],
  absent: { mcp: SECRETS },
  run:
    async () =>
    async (accounts, { name, scopes = DEFAULT_SCOPES, days, user }, caller) => {
      const { token, secret } = await accounts.createToken({
        userId: await subjectOf(accounts, user, caller),
        name,
        scopes,
        expiresAt: days === undefined ? undefined : accounts.now() + days * DAY,
        actor: actorOf(caller),
      });
      return { ...token, secret };
    },
});

export const revokeToken = defineOperation({
  name: 'token.revoke',
  summary: 'Revoke a token immediately',
  permission: 'account:admin',
  input: { id: text('Token id', { min: 1, label: 'id' }), user: owner },
  output: object({ id: text() }),
  errors: [accountErrors.TOKEN_NOT_FOUND],
  absent: { mcp: SECRETS },
  run:
    async () =>
    async (accounts, { id, user }, caller) => {
      const userId = await subjectOf(accounts, user, caller);
      await accounts.revokeToken({ userId, tokenId: id, actor: actorOf(caller) });
      return { id };
    },
});
