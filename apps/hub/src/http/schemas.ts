import { z } from 'zod';

import { databaseNames } from '../model/database-names.ts';

/** Schemas of the hand-written routes. All other routes get their schemas from operations. */

export const User = z
  .object({
    id: z.string(),
    username: z.string(),
    email: z.string().nullable(),
    roles: z.array(z.string()),
    status: z.enum(['active', 'disabled']),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'User' });

const Change = z.object({
  key: z.string(),
  operation: z.enum(['insert', 'update', 'delete']),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

export const Commit = z
  .object({
    database: z.enum(databaseNames),
    revision: z.number().int(),
    at: z.string(),
    note: z.string().nullable(),
    changes: z.array(Change),
    total: z.number().int(),
  })
  .meta({ id: 'Commit' });
