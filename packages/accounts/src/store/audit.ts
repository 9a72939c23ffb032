import { log } from '@holdfast/keyspace';

import { auditEventSchema } from '../model/audit-event.ts';

export const audit = log('audit:{seq}', auditEventSchema, { counter: 'meta:audit_seq', trimmable: true });
