/** Opens a database, which migrates it, and prints "done". Arguments: "tables" or "values", database. */
import { writeSync } from 'node:fs';

import { openTables, openValues, valueMigrations } from '../lib/migrating.ts';

const [kind, path] = process.argv.slice(2) as [string, string];
writeSync(1, 'started\n');
const opened = kind === 'tables' ? await openTables(path) : await openValues(path, valueMigrations);
writeSync(1, 'done\n');
await opened.close();
