import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, it, onTestFinished, vi } from 'vitest';

const root = join(import.meta.dirname, '../..');

it.each(['keyspace', 'np', 'utask'])('the examples of docs/%s.md run, from the first to the last', async (page) => {
  const data = mkdtempSync(join(tmpdir(), 'holdfast-examples-'));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(data, { recursive: true, force: true });
  });
  vi.stubEnv('NP_DIR', data);
  const text = readFileSync(join(root, `docs/${page}.md`), 'utf8');
  const examples = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!.replaceAll('/tmp/', `${data}/`));
  expect(examples).not.toEqual([]);
  // The folder is inside the repository, so that the examples resolve imports like any user's code.
  const folder = join(root, '.cache', 'documentation');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${page}.ts`);
  const given = `import assert from 'node:assert/strict';\nconst folder = ${JSON.stringify(data)};\n`;
  writeFileSync(file, `${given}${examples.join('\n')}\nexport const finished = true;\n`);
  const example = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { finished: boolean };
  expect(example.finished).toBe(true);
});
