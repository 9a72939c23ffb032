import { z } from 'zod';

import { auditTypes } from '@holdfast/accounts';
import { databaseNames } from '../adapters/databases.ts';

/** What the hub's routes take and give; the dashboard's types follow from these. */

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

export const Session = z
  .object({
    id: z.string(),
    created_at: z.string(),
    last_seen_at: z.string(),
    expires_at: z.string(),
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    is_current: z.boolean(),
  })
  .meta({ id: 'Session' });

export const Token = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.string()),
    starts_with: z.string(),
    created_at: z.string(),
    expires_at: z.string().nullable(),
    last_used_at: z.string().nullable(),
  })
  .meta({ id: 'Token' });

export const AuditEntry = z
  .object({
    seq: z.int(),
    at: z.string(),
    type: z.enum(auditTypes),
    actor: z.string().describe('User id, or system, cli or anonymous'),
    actor_name: z.string().nullable(),
    user_id: z.string().nullable().describe('The user concerned; null for a sign-in with an unknown name'),
    username: z.string().nullable(),
    ip: z.string().nullable(),
    session_id: z.string().optional(),
    token_id: z.string().optional(),
    roles: z.array(z.string()).optional(),
    scopes: z.array(z.string()).optional(),
    count: z.int().optional(),
  })
  .meta({ id: 'AuditEntry' });

export const roleName = z.enum(['admin', 'user', 'viewer']);
export const databaseName = z.enum(databaseNames);

const Problem = z.object({ code: z.string(), message: z.string() });

export const DatabaseState = z
  .object({
    name: databaseName,
    kind: z.enum(['keyspace', 'tables']).nullable(),
    revision: z.number().int().nullable(),
    oldest_restorable: z.number().int().nullable(),
    last_commit_at: z.string().nullable(),
    bytes: z.number().int(),
    log_bytes: z.number().int(),
    problem: Problem.nullable(),
  })
  .meta({ id: 'DatabaseState' });

export const Backup = z
  .object({
    file: z.string(),
    revision: z.number().int(),
    oldest_revision: z.number().int(),
    created_at: z.string(),
    bytes: z.number().int(),
  })
  .meta({ id: 'Backup' });

const Change = z.object({
  key: z.string(),
  operation: z.enum(['insert', 'update', 'delete']),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

export const Commit = z
  .object({
    database: databaseName,
    revision: z.number().int(),
    at: z.string(),
    note: z.string().nullable(),
    changes: z.array(Change),
    total: z.number().int(),
  })
  .meta({ id: 'Commit' });

export const Key = z
  .object({ key: z.string(), value: z.string(), encoding: z.enum(['json', 'text', 'hex']) })
  .meta({ id: 'Key' });
