import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decodeTarget, encodeTarget, relativePath, resolvedPath } from './links.ts';

const name = fc.string({
  minLength: 1,
  maxLength: 6,
  unit: fc.constantFrom('a', 'ü', ' ', '(', ')', '%', '#', '[', "'"),
});
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

describe('the way from one file to another', () => {
  it('leads back to it, through any folders and characters', () => {
    fc.assert(
      fc.property(path, path, (from, to) => {
        const target = encodeTarget(relativePath(from, to));
        expect(target).not.toMatch(/[\s()<>#[\]]/u);
        expect(resolvedPath(from, decodeTarget(target) ?? '')).toBe(to);
      }),
    );
  });

  it('never leads out of the notebook', () => {
    expect(resolvedPath('a/b.md', '../../x.md')).toBeUndefined();
    expect(resolvedPath('a/b.md', '../x.md')).toBe('x.md');
    expect(resolvedPath('b.md', '.')).toBeUndefined();
    expect(decodeTarget('%E0%A4%A')).toBeUndefined();
  });
});
