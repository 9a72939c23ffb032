import { expect, it } from 'vitest';

import { mutationsOf } from './mutate-source.ts';

it('changes operators, conditions, literals and statements, one at a time, but no types', () => {
  const source = `type T = true;\nexport const f = (a: number): boolean => {\n  if (!done) act();\n  return a < 2 ? true : a === 3;\n};\n`;
  const found = mutationsOf('x.ts', source).map(({ line, before, after }) => `${line} ${before} → ${after}`);
  expect(found.sort()).toEqual(
    [
      '3 !done → done',
      '3 !done → false',
      '3 !done → true',
      '3 act(); → ;',
      '4 2 → (2 + 1)',
      '4 3 → (3 + 1)',
      '4 < → <=',
      '4 === → !==',
      '4 a < 2 → !(a < 2)',
      '4 true → false',
    ].sort(),
  );
  const [first] = mutationsOf('x.ts', 'const a = 1 + b;');
  expect(first?.source).toBe('const a = 1 - b;');
});
