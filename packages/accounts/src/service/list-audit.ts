import type { Page } from '@holdfast/keyspace';

import type { AuditEvent } from '../model/audit-event.ts';
import { audit } from '../store/audit.ts';
import type { Dependencies } from './dependencies.ts';
import { type PageInput, pageOptions } from './list-users.ts';

/** Newest first. */
export async function listAudit({ keyspace }: Dependencies, input: PageInput = {}): Promise<Page<AuditEvent>> {
  return keyspace.page(audit, {}, { ...pageOptions(input), reverse: true });
}
