import {
  choice,
  integer,
  list,
  nullable,
  object,
  operationsOf,
  optional,
  pageFields,
  pageOf,
  text,
  time,
  withDefault,
} from '@holdfast/operation';

import type { Accounts } from '../accounts.ts';
import { accountErrors } from '../errors.ts';
import { auditTypes, externalSignIns, roleNames, userStatuses } from '../model/names.ts';
import { actorOf } from './subject.ts';

const defineOperation = operationsOf<Accounts>();

const ADMINISTRATION = 'People administer accounts, not agents';

const userObject = object(
  {
    id: text(),
    username: text(),
    email: nullable(text()),
    roles: list(choice(roleNames)),
    status: choice(userStatuses),
    created_at: time(),
    updated_at: time(),
  },
  { id: 'User' },
);

const username = text('User name', { min: 1, max: 200 });
const email = nullable(text('E-mail address', { max: 320 }));
const password = text('Password', { min: 1, max: 1_024 });
const roles = list(choice(roleNames, 'Role'), { min: 1 });
const user = text('Name, e-mail address or id of the user', { min: 1, max: 320, label: 'user' });

export const listUsers = defineOperation({
  name: 'user.list',
  summary: 'List users',
  permission: 'users:read',
  input: pageFields,
  output: pageOf(userObject),
  absent: { mcp: ADMINISTRATION },
  run: async () => async (accounts, input) => {
    const { items, cursor } = await accounts.listUsers(input);
    return { data: items, next_cursor: cursor ?? null };
  },
});

export const addUser = defineOperation({
  name: 'user.add',
  summary: 'Add a user',
  permission: 'users:admin',
  input: { username, email: optional(email), password, roles: withDefault(roles, ['user']) },
  output: userObject,
  errors: [
    accountErrors.USERNAME_INVALID,
    accountErrors.USERNAME_TAKEN,
    accountErrors.EMAIL_INVALID,
    accountErrors.EMAIL_TAKEN,
    accountErrors.PASSWORD_WEAK,
    accountErrors.PASSWORD_UNUSABLE,
  ],
  absent: { mcp: ADMINISTRATION },
  run: async () => (accounts, input, caller) => accounts.createUser({ ...input, actor: actorOf(caller) }),
});

export const editUser = defineOperation({
  name: 'user.edit',
  summary: 'Change the name, e-mail address, roles, status or password of a user',
  description: "Changing the roles or password, or disabling the user, ends all of the user's sessions.",
  permission: 'users:admin',
  input: {
    user,
    username: optional(username),
    email: optional(email),
    roles: optional(roles),
    status: optional(choice(userStatuses, 'Status; disabled users cannot sign in or use tokens')),
    password: optional(password),
  },
  output: userObject,
  errors: [accountErrors.USER_NOT_FOUND, accountErrors.LAST_ADMIN, accountErrors.PASSWORD_WEAK],
  absent: { mcp: ADMINISTRATION },
  run: async () => async (accounts, input, caller) => {
    const found = await accounts.findUser(input.user);
    const who = { userId: found.id, actor: actorOf(caller) };
    if (input.password !== undefined) await accounts.setPassword({ ...who, password: input.password });
    if (input.status !== undefined) await accounts.setStatus({ ...who, status: input.status });
    if (input.roles !== undefined) await accounts.setRoles({ ...who, roles: input.roles });
    if (input.username !== undefined || input.email !== undefined) {
      await accounts.updateUser({ ...who, username: input.username, email: input.email });
    }
    return accounts.findUser(found.id);
  },
});

export const removeUser = defineOperation({
  name: 'user.remove',
  summary: 'Remove a user and their sessions and tokens',
  permission: 'users:admin',
  input: { user },
  output: object({ id: text() }),
  errors: [accountErrors.USER_NOT_FOUND, accountErrors.LAST_ADMIN],
  absent: { mcp: ADMINISTRATION },
  run: async () => async (accounts, input, caller) => {
    const { id } = await accounts.findUser(input.user);
    await accounts.deleteUser({ userId: id, actor: actorOf(caller) });
    return { id };
  },
});

const auditObject = object(
  {
    seq: integer(),
    at: time(),
    type: choice(auditTypes),
    actor: text('Id of the user who acted, or system, cli or anonymous'),
    actor_name: nullable(text()),
    user_id: nullable(text('Id of the affected user; null for a sign-in with an unknown name')),
    username: nullable(text()),
    ip: nullable(text()),
    session_id: optional(text()),
    token_id: optional(text()),
    via: optional(choice(externalSignIns, 'Who signed the user in, if it was not the server itself')),
    reason: optional(text('Error code of a sign-in that the server refused')),
    subject: optional(text('Id of the user at the OpenID Connect provider, for a refused sign-in')),
    roles: optional(list(choice(roleNames))),
    scopes: optional(list(text())),
    count: optional(integer()),
  },
  { id: 'AuditEntry' },
);

export const listAudit = defineOperation({
  name: 'audit.list',
  summary: 'List sign-ins and changes to accounts, newest first',
  permission: 'users:read',
  input: {
    user: optional(text('Only events by or about this user (name, e-mail address or id)', { max: 320, label: 'user' })),
    type: optional(choice(auditTypes, 'Only events of this type')),
    since: optional(time('Only events at or after this time')),
    ...pageFields,
  },
  output: pageOf(auditObject),
  errors: [accountErrors.USER_NOT_FOUND],
  absent: { mcp: ADMINISTRATION },
  run: async () => async (accounts, input) => {
    const { items, cursor } = await accounts.listAudit(input);
    return { data: items, next_cursor: cursor ?? null };
  },
});
