import { join } from 'node:path';

import { temporaryFolder } from '../../test/temporary.ts';
import { engineConformance } from '../../test/conformance.ts';
import { memoryEngine } from './memory.ts';
import { sqliteEngine } from './sqlite.ts';
import { tenantEngine } from './tenant.ts';

engineConformance('the memory engine', () => Promise.resolve(memoryEngine()));
engineConformance('the SQLite engine', () => sqliteEngine({ path: join(temporaryFolder(), 'keys.db') }));
engineConformance('a tenant of the memory engine', () => Promise.resolve(tenantEngine(memoryEngine(), 'tenant:a:')));
