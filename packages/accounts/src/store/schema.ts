import { type Engine, type Keyspace, type KeyspaceMigrations, openKeyspace, type Schema } from '@holdfast/keyspace';

import { defaultHashPolicy, type HashPolicy } from '../model/hash-policy.ts';
import { initialRoles } from '../model/role.ts';
import { audit } from './audit.ts';
import { hashPolicies, migrationProgress, migrationRecords, ownerId, setupLinks, version } from './meta.ts';
import { replies } from './replies.ts';
import { roles } from './roles.ts';
import { devices, sessions } from './sessions.ts';
import { throttles } from './throttles.ts';
import { tokens } from './tokens.ts';
import { credentials, users } from './users.ts';

/** Schema of `accounts.db`. */
export const accountsSchema: Schema = {
  users,
  credentials,
  sessions,
  devices,
  tokens,
  roles,
  throttles,
  replies,
  audit,
  hashPolicies,
  ownerId,
  setupLinks,
  version,
  migrationProgress,
  migrationRecords,
};

export interface AccountsKeyspaceOptions {
  /** Policy of a new database; an existing one keeps its own. */
  readonly hashPolicy?: HashPolicy;
  readonly now?: () => number;
}

/** Opens the keyspace of `accounts.db`. The caller opens and closes the engine. */
export function openAccountsKeyspace(engine: Engine, options: AccountsKeyspaceOptions = {}): Promise<Keyspace> {
  return openKeyspace({ engine, schema: accountsSchema, migrations: migrationsFor(options) });
}

function migrationsFor({ hashPolicy = defaultHashPolicy, now }: AccountsKeyspaceOptions): KeyspaceMigrations {
  return {
    versionKey: 'meta:version',
    recordKey: 'mig:{version:d10}',
    ...(now === undefined ? {} : { now }),
    steps: [
      {
        version: 1,
        description: 'roles and the policy for password hashes',
        async step(transaction) {
          for (const role of initialRoles) await transaction.put(roles, { role: role.role }, role);
          await transaction.put(hashPolicies, {}, hashPolicy);
          return undefined;
        },
      },
    ],
  };
}
