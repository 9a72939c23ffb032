import { counter, record, text } from '@holdfast/keyspace';
import { z } from 'zod';

import { hashPolicySchema } from '../model/hash-policy.ts';
import { setupLinkSchema } from '../model/secret.ts';
import { moment } from '../model/time.ts';

export const hashPolicies = record('meta:auth:argon2_params', hashPolicySchema);

/** Id of the first user. Written once: there is only ever one owner. */
export const ownerId = text('meta:auth:owner');

export const setupLinks = record('meta:auth:setup', setupLinkSchema);

/** Bookkeeping of the keyspace migrations, listed so that `verify` knows the keys. */
export const version = counter('meta:version');
export const migrationProgress = record(
  'meta:version_migrating',
  z.object({ version: z.int(), place: z.string(), started_at: z.number() }),
);
export const migrationRecords = record(
  'mig:{version:d10}',
  z.object({ id: z.int(), applied_at: moment, description: z.string(), duration_ms: z.number() }),
);
