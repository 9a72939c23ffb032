import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  ancestorsOf,
  isBelow,
  movedPath,
  notebookPath,
  type NotebookPath,
  observedPath,
  pathKey,
  pathProblem,
  rangeBelow,
} from './path.ts';

/** Names that escape a folder, reach into git, or break on another system. */
const refused = [
  '',
  '/',
  '/etc/passwd',
  '/notes/foo.md',
  '..',
  '../x',
  'a/../../x',
  'a/..',
  './a',
  'a/./b',
  'a//b',
  'a/',
  'a\\b',
  '..\\x',
  'C:\\x',
  'C:x',
  'a\0b',
  'a\nb',
  'a\u007fb',
  'a\u0085b',
  '.git',
  '.GIT/config',
  'a/.git/hooks/post-commit',
  '.git./x',
  '.git /x',
  '.g\u200cit/config',
  '.gi\ufeffT',
  'GIT~1/hooks',
  '.ｇｉｔ/x',
  '.git::$INDEX_ALLOCATION/x',
  '.codex/codex.db',
  '.Codex',
  'con',
  'CON.md',
  'x/nul.txt',
  'lpt1',
  'COM9.log',
  'trailing.',
  'trailing ',
  ' leading',
  'what?.md',
  'a:b',
  'a*b',
  'a|b',
  '<a>',
  '"a"',
  '\ud800',
  'x'.repeat(256),
  'ü'.repeat(128),
  `${'d/'.repeat(64)}x`,
  'x'.repeat(5_000),
];

const allowed = [
  'a',
  'a.md',
  'notes/today.md',
  '.hidden',
  '.gitignore',
  '.github/x',
  'a..b',
  'ü/é.md',
  'console.md',
  '👨‍👩‍👧.md',
  "it's 100% #1 (x).md",
];

describe('paths of a notebook', () => {
  it.each(refused.map((path) => [path]))('refuse %j', (path) => {
    expect(() => notebookPath(path)).toThrow(expect.objectContaining({ code: 'PATH_INVALID' }) as Error);
  });

  it.each(allowed.map((path) => [path]))('allow %j', (path) => {
    expect(notebookPath(path)).toBe(path.normalize('NFC'));
  });

  it('are composed, so that one name has one spelling', () => {
    expect(notebookPath('cafe\u0301.md')).toBe('caf\u00e9.md');
  });

  it('never leave the folder that they are joined to, whatever is asked for', () => {
    const piece = fc.oneof(
      fc.constantFrom('..', '.', '', '/', '.git', 'a', 'b.md', '\0', '\\'),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const input = pieces.join('/');
        if (pathProblem(input) !== undefined) return;
        const resolved = new URL(`file:///nb/${input.split('/').map(encodeURIComponent).join('/')}`).pathname;
        expect(resolved.startsWith('/nb/')).toBe(true);
        expect(decodeURIComponent(resolved)).toBe(`/nb/${input}`);
      }),
      { numRuns: 2_000 },
    );
  });

  it('have the same key when some system takes them for the same name', () => {
    for (const twins of [
      ['Notes/A.md', 'notes/a.MD'],
      ['cafe\u0301', 'CAF\u00c9'],
      ['straße', 'STRASSE'],
      ['ſ', 's'],
    ]) {
      expect(pathKey(twins[0] ?? '')).toBe(pathKey(twins[1] ?? ''));
    }
    expect(pathKey('a')).not.toBe(pathKey('b'));
  });

  it('below a folder are exactly those in its range', () => {
    const name = fc.stringMatching(/^[a-z0-9 .!_%-]{1,4}$/u);
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 3 }),
        fc.array(name, { minLength: 1, maxLength: 3 }),
        (left, right) => {
          const path = left.join('/');
          const folder = right.join('/');
          const { from, to } = rangeBelow(folder);
          expect(path >= from && path < to).toBe(isBelow(path, folder));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('move along with their folder', () => {
    const at = (text: string): NotebookPath => text as NotebookPath;
    expect(movedPath(at('a/b/c'), at('a'), at('x/y'))).toBe('x/y/b/c');
    expect(movedPath(at('a'), at('a'), at('b'))).toBe('b');
    expect(ancestorsOf(at('a/b/c'))).toEqual(['a', 'a/b']);
  });

  it('that others made are looked at as they are spelled, unless they are ours or git’s', () => {
    expect(observedPath('cafe\u0301?.md')).toEqual({ path: 'cafe\u0301?.md' });
    for (const path of ['.git/config', 'a/.codex/x', '../x', '/x', 'a\nb', 'bad\ufffdname']) {
      expect(observedPath(path)).toHaveProperty('reason');
    }
  });
});
