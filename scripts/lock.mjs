/**
 * Completes package-lock.json after `npm install`, see lockfile/complete.mjs.
 *
 *   node scripts/lock.mjs           add what is missing
 *   node scripts/lock.mjs --check   only report; exit code 1 if something is missing
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { missingEntries, withEntries } from './lockfile/complete.mjs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const missing = missingEntries(lock.packages);
const count = Object.keys(missing).length;

if (process.argv.includes('--check')) {
  for (const path of Object.keys(missing)) console.error(`missing in package-lock.json: ${path}`);
  console.log(count === 0 ? 'package-lock.json is complete' : 'Run `node scripts/lock.mjs` to add these.');
  process.exitCode = count === 0 ? 0 : 1;
} else if (count > 0) {
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: withEntries(lock.packages, missing) }, undefined, 2)}\n`);
  console.log(`added to package-lock.json: ${count}`);
}
