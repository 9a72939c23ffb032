import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { expect, test } from 'vitest';

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const failpointFile = fileURLToPath(new URL('failpoint.ts', import.meta.url));

/** Runs five rounds; each prints its number and then reaches the failpoint "saved". */
const program = `
  import { writeSync } from 'node:fs';
  import { failpoint } from ${JSON.stringify(failpointFile)};
  for (let round = 1; round <= 5; round++) { writeSync(1, round + ' '); failpoint('saved'); }
  writeSync(1, 'end');
`;

function run(setting: string | undefined): {
  said: string;
  signal: string | null;
  code: number | null;
  errors: string;
} {
  const { HOLDFAST_FAILPOINT: _, ...environment } = process.env;
  const result = spawnSync(process.execPath, ['--import', tsx, '--input-type=module', '-e', program], {
    env: setting === undefined ? environment : { ...environment, HOLDFAST_FAILPOINT: setting },
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { said: result.stdout, signal: result.signal, code: result.status, errors: result.stderr };
}

test('without the variable a failpoint does nothing', () => {
  expect(run(undefined)).toMatchObject({ said: '1 2 3 4 5 end', code: 0 });
  expect(run('')).toMatchObject({ said: '1 2 3 4 5 end', code: 0 });
});

test('name:n kills at the n-th pass, and nothing after it runs', () => {
  expect(run('saved:1')).toMatchObject({ said: '1 ', signal: 'SIGKILL' });
  expect(run('saved:3')).toMatchObject({ said: '1 2 3 ', signal: 'SIGKILL' });
});

test('another name, or more passes than there are, changes nothing', () => {
  expect(run('other:1')).toMatchObject({ said: '1 2 3 4 5 end', code: 0 });
  expect(run('saved:6')).toMatchObject({ said: '1 2 3 4 5 end', code: 0 });
});

test.each(['saved', 'saved:', 'saved:0', 'saved:-1', 'saved:x', ':1'])('a setting like "%s" is refused', (setting) => {
  const { code, errors } = run(setting);
  expect(code).not.toBe(0);
  expect(errors).toContain('HOLDFAST_FAILPOINT must look like name:n');
});
