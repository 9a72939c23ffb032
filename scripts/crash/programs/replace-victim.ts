/** Replaces a database with a backup and prints "done". Arguments: database, backup. */
import { writeSync } from 'node:fs';

import { replaceFromBackup } from '@holdfast/sqlite';

const [path, backup] = process.argv.slice(2) as [string, string];
writeSync(1, 'started\n');
await replaceFromBackup(path, backup);
writeSync(1, 'done\n');
