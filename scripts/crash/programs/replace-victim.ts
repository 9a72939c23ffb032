/** Puts a backup in the place of a database, and says "done". Arguments: database, backup. */
import { writeSync } from 'node:fs';

import { replaceFromBackup } from '@holdfast/sqlite';

const [path, backup] = process.argv.slice(2) as [string, string];
writeSync(1, 'started\n');
await replaceFromBackup(path, backup);
writeSync(1, 'done\n');
