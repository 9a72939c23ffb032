import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { format, resolveConfig } from 'prettier';

import { errorsDocument, errorsJson } from './errors.ts';
import { openApiJson } from './openapi.ts';
import { operationsDocument } from './operations.ts';

/** Generated documents: path and content. */
const documents: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/errors.md': errorsDocument,
  'apps/hub/src/http/error-codes.json': errorsJson,
  'docs/openapi.json': openApiJson,
  'docs/operations.md': operationsDocument,
};

const isCheck = process.argv.includes('--check');
let stale = 0;
for (const [path, text] of Object.entries(documents)) {
  const wanted = await format(await text(), { ...(await resolveConfig(path)), filepath: path });
  const current = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (current === wanted) continue;
  if (isCheck) {
    stale += 1;
    console.error(`${path} is out of date: run \`npm run docs\``);
  } else {
    writeFileSync(path, wanted);
    console.error(`${path} written`);
  }
}
process.exitCode = stale === 0 ? 0 : 1;
