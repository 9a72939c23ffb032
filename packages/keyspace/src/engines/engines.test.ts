import { join } from 'node:path';

import { temporaryFolder } from '../../test/temporary.ts';
import { engineConformance } from '../../test/conformance.ts';
import { memoryEngine } from './memory.ts';
import { sqliteEngine } from './sqlite.ts';
import { tenantEngine } from './tenant.ts';

engineConformance('the memory engine', { open: () => Promise.resolve(memoryEngine()), isShared: false });
const folder = temporaryFolder();
engineConformance('the SQLite engine', { open: (store) => sqliteEngine({ path: join(folder, `${store}.db`) }) });
engineConformance('a tenant of the memory engine', {
  open: () => Promise.resolve(tenantEngine(memoryEngine(), 'tenant:a:')),
  isShared: false,
});
