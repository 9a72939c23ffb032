import {
  counter,
  type Engine,
  type Keyspace,
  type KeyspaceMigrations,
  leases,
  log,
  openKeyspace,
  record,
  type Schema,
  text,
} from '@holdfast/keyspace';
import { z } from 'zod';

import { auditEventSchema } from '../model/audit-event.ts';
import { defaultHashPolicy, type HashPolicy, hashPolicySchema } from '../model/hash-policy.ts';
import { identitySchema } from '../model/identity.ts';
import { replySchema } from '../model/reply.ts';
import { initialRoles, roleSchema } from '../model/role.ts';
import { setupLinkSchema } from '../model/secret.ts';
import { deviceSchema, expiryOf, sessionSchema } from '../model/session.ts';
import { snoozeSchema } from '../model/snooze.ts';
import { throttleSchema } from '../model/throttle.ts';
import { moment } from '../model/time.ts';
import { tokenSchema } from '../model/token.ts';
import { credentialSchema, foldEmail, foldUsername, userSchema } from '../model/user.ts';

export const users = record('u:{id}', userSchema, {
  indexes: {
    username: {
      key: 'idx:user:username:{lower}',
      value: '{id}',
      unique: true,
      from: { lower: (user) => foldUsername(user.username) },
    },
    email: {
      key: 'idx:user:email:{lower}',
      value: '{id}',
      unique: true,
      from: { lower: (user) => (user.email === null ? null : foldEmail(user.email)) },
    },
    /** Used to find another active administrator within a transaction. */
    activeRole: {
      key: 'idx:user:role:{role}:{id}',
      value: '1',
      when: (user) => user.status === 'active',
      from: { role: (user) => user.roles },
    },
  },
});

/** The only records that contain password hashes. */
export const credentials = record('ua:{id}', credentialSchema);

export const sessions = record('sess:{id}', sessionSchema, {
  indexes: {
    user: { key: 'idx:sess:user:{user_id}:{id}', value: '1' },
    hash: {
      key: 'idx:sess:hash:{token_hash}',
      value: '{id}',
      unique: true,
      when: (session) => !session.revoked,
    },
    expiry: {
      key: 'idx:sess:exp:{at:d15}:{id}',
      value: '1',
      from: { at: (session) => (session.revoked ? 0 : expiryOf(session)) },
    },
  },
});

export const devices = record('dev:{id}', deviceSchema, {
  indexes: {
    user: { key: 'idx:dev:user:{user_id}:{id}', value: '1' },
    hash: { key: 'idx:dev:hash:{token_hash}', value: '{id}', unique: true },
    expiry: {
      key: 'idx:dev:exp:{at:d15}:{id}',
      value: '1',
      from: { at: (device) => Date.parse(device.expires_at) },
    },
  },
});

export const tokens = record('tok:{id}', tokenSchema, {
  indexes: {
    user: { key: 'idx:tok:user:{user_id}:{id}', value: '1' },
    hash: { key: 'idx:tok:hash:{token_hash}', value: '{id}', unique: true },
    expiry: {
      key: 'idx:tok:exp:{at:d15}:{id}',
      value: '1',
      from: { at: (token) => (token.expires_at === null ? null : Date.parse(token.expires_at)) },
    },
  },
});

export const identities = record('ident:{id}', identitySchema, {
  indexes: { user: { key: 'idx:ident:user:{user_id}:{id}', value: '1' } },
});

export const roles = record('authz:{role}', roleSchema);

export const throttles = record('thr:{kind}:{id}', throttleSchema, {
  indexes: {
    expiry: {
      key: 'idx:thr:exp:{at:d15}:{kind}:{id}',
      value: '1',
      from: { at: (throttle) => Date.parse(throttle.expires_at) },
    },
  },
});

export const replies = record('idem:{user_id}:{key_hash}', replySchema, {
  indexes: {
    expiry: {
      key: 'idx:idem:exp:{at:d15}:{user_id}:{key_hash}',
      value: '1',
      from: { at: (reply) => Date.parse(reply.expires_at) },
    },
  },
});

/** Inbox items that a user has hidden until a given time. The item's key is stored as a hash. */
export const snoozes = record('snz:{user_id}:{key_hash}', snoozeSchema, {
  indexes: {
    expiry: {
      key: 'idx:snz:exp:{at:d15}:{user_id}:{key_hash}',
      value: '1',
      from: { at: (snooze) => Date.parse(snooze.until) },
    },
  },
});

export const audit = log('audit:{seq}', auditEventSchema, { counter: 'meta:audit_seq', trimmable: true });

export const hashPolicies = record('meta:auth:argon2_params', hashPolicySchema);

/** Id of the first user. Written once: there is only ever one owner. */
export const ownerId = text('meta:auth:owner');

/** Key with which all servers with these accounts seal the cookies for OpenID Connect sign-ins. */
export const sealingKeys = text('meta:auth:sealing_key');

export const setupLinks = record('meta:auth:setup', setupLinkSchema);

/** Keys of the keyspace migrations, defined here so that `verify` knows them. */
export const version = counter('meta:version');
const migrationProgress = record(
  'meta:version_migrating',
  z.object({ version: z.int(), place: z.string(), started_at: z.number() }),
);
const migrationRecords = record(
  'mig:{version:d10}',
  z.object({ id: z.int(), applied_at: moment, description: z.string(), duration_ms: z.number() }),
);

/** Schema of `accounts.db`. */
export const accountsSchema: Schema = {
  users,
  credentials,
  sessions,
  devices,
  tokens,
  identities,
  roles,
  throttles,
  replies,
  snoozes,
  audit,
  hashPolicies,
  ownerId,
  sealingKeys,
  setupLinks,
  leases,
  version,
  migrationProgress,
  migrationRecords,
};

interface AccountsKeyspaceOptions {
  /** Password hash policy for a new database; an existing database keeps its own. */
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
          // Keeps existing records, because this step runs again after a repair has set the stored version aside.
          for (const role of initialRoles) {
            if ((await transaction.get(roles, role)) === undefined) await transaction.put(roles, role, role);
          }
          if ((await transaction.get(hashPolicies, {})) === undefined) {
            await transaction.put(hashPolicies, {}, hashPolicy);
          }
          return undefined;
        },
      },
    ],
  };
}
