import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, it } from 'vitest';

import { temporaryFolder } from '../test/temporary.ts';

const root = join(import.meta.dirname, '../../..');

it('the examples of docs/keyspace.md run, from the first to the last', async () => {
  const page = readFileSync(join(root, 'docs/keyspace.md'), 'utf8');
  const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
  expect(examples.length).toBeGreaterThan(5);
  // The folder is inside the repository, so that the examples resolve imports like any user's code.
  const folder = join(root, '.cache', 'documentation');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'keyspace.ts');
  const given = `import assert from 'node:assert/strict';\nconst folder = ${JSON.stringify(temporaryFolder())};\n`;
  writeFileSync(file, `${given}${examples.join('\n')}\nexport const finished = true;\n`);
  const example = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { finished: boolean };
  expect(example.finished).toBe(true);
});
