import fc from 'fast-check';
import { expect, test } from 'vitest';

import { readSimple, readYaml } from './properties.ts';

test('plain lines are read as YAML reads them, and everything else is left to it', () => {
  const plain = fc.constantFrom(
    'a',
    'open',
    'Größe',
    'x y',
    '12',
    '0',
    '2026-11-15',
    '[x, y]',
    'true',
    '[1, null, z ]',
    'é.',
  );
  const odd = fc.constantFrom(
    'a',
    'open',
    'Größe',
    'x y',
    '12',
    '-7',
    '0',
    '007',
    '1.5',
    '2026-11-15',
    'true',
    'False',
    'null',
    '~',
    'a: b',
    'a #b',
    '#c',
    '"q"',
    "it's",
    '- d',
    '[x, y]',
    '[a,, b]',
    '[]',
    '[1, true, z ]',
    '{a: 1}',
    '&a',
    '*a',
    '| ',
    '>',
    '%',
    'é.',
    'a-',
    'a,b',
    '1e3',
    'a(b)',
    'no',
    'x\u0301',
    '0x1f',
    '.inf',
    'a/b',
    '',
    ' ',
    '+1',
    'ok ',
    'a\tb',
  );
  const word = fc.oneof({ weight: 6, arbitrary: plain }, { weight: 1, arbitrary: odd });
  const plainName = fc.constantFrom('a', 'b-c', 'title', 'T_1', 'constructor', 'd');
  const oddName = fc.constantFrom('a', 'b-c', 'title', 'T_1', '1', 'é', 'a b', '- x', '', 'constructor', '"q"', 'null');
  const name = fc.oneof({ weight: 6, arbitrary: plainName }, { weight: 1, arbitrary: oddName });
  const line = fc
    .tuple(name, fc.constantFrom(': ', ': ', ': ', ':', ':  ', ' : '), word, fc.constantFrom('', ' ', '\r'))
    .map((parts) => parts.join(''));
  const other = fc.constantFrom('', '  more', '# comment', '- a', '...', '---', '\t', 'x');
  let read = 0;
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 20, arbitrary: line }, { weight: 1, arbitrary: other }), { maxLength: 4 }),
      (lines) => {
        const source = lines.map((each) => `${each}\n`).join('');
        const simple = readSimple(source);
        if (simple === undefined || source.trim() === '') return;
        read += 1;
        expect({ properties: simple, error: null }).toEqual(readYaml(source, 1));
      },
    ),
    { numRuns: 1_500 },
  );
  expect(read).toBeGreaterThan(150);
});
