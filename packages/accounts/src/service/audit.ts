import { toTimestamp } from '@holdfast/base';
import { isUlid, keyspaceErrors, type Page, type Transaction } from '@holdfast/keyspace';

import type { AuditEvent, AuditType } from '../model/audit-event.ts';
import { audit, users } from '../store/schema.ts';
import type { Dependencies } from './dependencies.ts';
import { findUser, type PageInput, pageOptions } from './find-user.ts';

type Facts = Omit<AuditEvent, 'seq' | 'at' | 'ip' | 'version'> & { readonly ip?: string };

/** Runs in the transaction that makes the change, so that the change and its event are committed together. */
export function recordAudit(
  transaction: Transaction,
  { clock }: Pick<Dependencies, 'clock'>,
  { ip, ...facts }: Facts,
): void {
  const at = toTimestamp(clock());
  transaction.append(audit, {}, (seq) => ({ seq, at, ...facts, ip: ip ?? null, version: 1 }));
}

export interface AuditFilter extends PageInput {
  /** Name, e-mail address or id of the acting or affected user. Deleted users are found by id only. */
  readonly user?: string | undefined;
  readonly type?: AuditType | undefined;
  readonly since?: string | undefined;
}

/** An event with user names. A name is null for a deleted user and for an actor that is not a user. */
export interface AuditEntry extends Omit<AuditEvent, 'version'> {
  readonly actor_name: string | null;
  readonly username: string | null;
}

/** Lists events, newest first. Filters scan the log, which holds at most `auditEntriesMax` events. */
export async function listAudit(dependencies: Dependencies, filter: AuditFilter = {}): Promise<Page<AuditEntry>> {
  const { reader } = dependencies;
  const { limit, cursor } = pageOptions(filter);
  const id = filter.user === undefined ? undefined : await idOf(dependencies, filter.user);
  const isWanted = ({ type, actor, user_id }: AuditEvent): boolean =>
    (filter.type === undefined || type === filter.type) && (id === undefined || actor === id || user_id === id);
  const found: AuditEvent[] = [];
  const end = cursor === undefined ? {} : { end: sequenceOf(cursor) };
  for await (const event of reader.scan(audit, {}, { reverse: true, ...end })) {
    if (filter.since !== undefined && Date.parse(event.at) < Date.parse(filter.since)) break;
    if (isWanted(event)) found.push(event);
    if (found.length > limit) break;
  }
  const events = found.slice(0, limit);
  const last = found.length > limit ? events.at(-1) : undefined;
  return { items: await withNames(dependencies, events), cursor: last === undefined ? undefined : String(last.seq) };
}

async function idOf(dependencies: Dependencies, user: string): Promise<string> {
  return isUlid(user) ? user : (await findUser(dependencies, user)).id;
}

function sequenceOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw keyspaceErrors.CURSOR_INVALID('The cursor does not belong to this list');
  return Number(cursor);
}

async function withNames({ reader }: Dependencies, events: readonly AuditEvent[]): Promise<AuditEntry[]> {
  const ids = [...new Set(events.flatMap(({ actor, user_id }) => [actor, user_id ?? '']))].filter(isUlid);
  const found = await reader.getMany(
    users,
    ids.map((id) => ({ id })),
  );
  const names = new Map(found.flatMap((user) => (user === undefined ? [] : [[user.id, user.username] as const])));
  return events.map(({ version: _, ...event }) => ({
    ...event,
    actor_name: names.get(event.actor) ?? null,
    username: names.get(event.user_id ?? '') ?? null,
  }));
}
