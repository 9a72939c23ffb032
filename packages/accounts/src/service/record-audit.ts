import type { Transaction } from '@holdfast/keyspace';

import type { AuditEvent } from '../model/audit-event.ts';
import { toMoment } from '../model/time.ts';
import { audit } from '../store/audit.ts';
import type { Dependencies } from './dependencies.ts';

type Facts = Omit<AuditEvent, 'seq' | 'at' | 'ip' | 'version'> & { readonly ip?: string };

/** Part of the transaction that does the thing, so that neither can be there without the other. */
export function recordAudit(
  transaction: Transaction,
  { clock }: Pick<Dependencies, 'clock'>,
  { ip, ...facts }: Facts,
): void {
  const at = toMoment(clock.now());
  transaction.append(audit, {}, (seq) => ({ seq, at, ...facts, ip: ip ?? null, version: 1 }));
}
