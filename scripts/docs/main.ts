import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { format, resolveConfig } from 'prettier';

import { errorsDocument, errorsJson } from './errors.ts';
import { openApiJson } from './openapi.ts';

/** Every generated document: its path, and what it should say. */
const documents: Readonly<Record<string, () => string>> = {
  'docs/errors.md': errorsDocument,
  'apps/hub/src/http/error-codes.json': errorsJson,
  'docs/openapi.json': openApiJson,
};

const isCheck = process.argv.includes('--check');
let stale = 0;
for (const [path, text] of Object.entries(documents)) {
  const wanted = await format(text(), { ...(await resolveConfig(path)), filepath: path });
  const current = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (current === wanted) continue;
  if (isCheck) {
    stale += 1;
    console.error(`${path} is not current: run \`npm run docs\``);
  } else {
    writeFileSync(path, wanted);
    console.error(`${path} written`);
  }
}
process.exitCode = stale === 0 ? 0 : 1;
