import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { rulesAbove } from '../adapters/watch-tree.ts';
import { scanTree } from '../adapters/watch-scan.ts';
import { IgnoreRules, isTemporaryName } from './ignore-rules.ts';

const root = mkdtempSync(join(tmpdir(), 'codex-ignore-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const PATHS = [
  'a.log',
  'A.LOG',
  'keep.log',
  'dir/a.log',
  'dir/keep.log',
  'dir/sub/a.log',
  'build/x',
  'src/build/x',
  'build.md',
  'docs/build',
  'foo/bar/baz',
  'foo/qux/bar/baz',
  'foo/bar.txt',
  'with space.txt',
  'trailing ',
  '#hash',
  '!bang',
  'x[1].md',
  'x1.md',
  'a?b',
  'axb',
  'deep/a/b/c/d.tmp',
  'deep/d.tmp',
  'node_modules/p/index.js',
  'pkg/node_modules/p/index.js',
  'pkg/src/index.js',
  'ünï/cödé.md',
  '.hidden',
  '.github/workflows/x.yml',
  'x.git-notes.md',
  'back\\slash',
];

/** The `.gitignore` files of a tree, by folder. */
const CORPUS: readonly Readonly<Record<string, string>>[] = [
  { '': '*.log\n!keep.log\n' },
  { '': 'build/\n' },
  { '': '/build\n' },
  { '': 'build\n' },
  { '': 'foo/**/baz\n' },
  { '': '**/build\n!docs/build\n' },
  { '': 'foo/*\n!foo/bar.txt\n' },
  { '': 'dir/\n!dir/keep.log\n' },
  { '': 'dir/*\n!dir/keep.log\n', dir: '*.log\n' },
  { '': '*.log\n', dir: '!a.log\n', 'dir/sub': 'a.log\n' },
  { '': '\\#hash\n\\!bang\n# comment\n\n   \n' },
  { '': 'x[1].md\nx\\[1\\].md\n' },
  { '': 'x[0-9].md\na?b\n' },
  { '': 'trailing\\ \nwith space.txt   \n' },
  { '': 'deep/**/*.tmp\n' },
  { '': 'node_modules\n', pkg: '!node_modules\n' },
  { pkg: '/src\n' },
  { '': 'ünï\n' },
  { '': '.*\n!.github\n' },
  { '': '*\n!*/\n!*.md\n' },
  { '': '/*\n!/pkg\n' },
  { '': '*.log\r\nbuild/\r\n' },
  { '': '\uFEFF*.log\n' },
];

describe('rules of .gitignore files', () => {
  it.each(CORPUS.map((files, at) => [at, files] as const))(
    'corpus %i is read as git reads it: %o',
    async (at, files) => {
      const folder = join(root, `c${at}`);
      for (const path of PATHS) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), '');
      }
      for (const [where, text] of Object.entries(files)) writeFileSync(join(folder, where, '.gitignore'), text);
      execFileSync('git', ['init', '-q', folder]);
      const input = PATHS.map((path) => `./${path}\0`).join('');
      let said = '';
      try {
        said = execFileSync('git', ['check-ignore', '-z', '--stdin'], { cwd: folder, input, encoding: 'utf8' });
      } catch (error) {
        // The exit code is 1 if nothing is ignored.
        said = (error as { stdout: string }).stdout;
      }
      const rules = rulesAbove(folder);
      await scanTree(folder, rules);
      const ours = PATHS.filter((path) => rules.reason(path, false) !== undefined).sort();
      expect(ours).toEqual(
        said
          .split('\0')
          .filter(Boolean)
          .map((path) => path.slice(2))
          .sort(),
      );
    },
  );

  it('come from above too, when the notebook lies in a larger repository', () => {
    const outer = join(root, 'outer');
    mkdirSync(join(outer, 'docs/notes'), { recursive: true });
    execFileSync('git', ['init', '-q', outer]);
    writeFileSync(join(outer, '.gitignore'), 'secret.md\n/docs/notes/top.md\n/top2.md\n');
    writeFileSync(join(outer, 'docs/.gitignore'), 'notes/*.tmp\n');
    const rules = rulesAbove(join(outer, 'docs/notes'));
    expect(
      ['secret.md', 'top.md', 'x.tmp', 'top2.md', 'a/x.tmp'].map((path) => rules.reason(path, false) !== undefined),
    ).toEqual([true, true, true, false, false]);
  });

  it('never let git or the notebook itself be looked into, and look at names, not at parts of them', () => {
    const rules = new IgnoreRules();
    rules.add('', '!.git\n!.codex\n');
    const isIgnored = (path: string): boolean => rules.reason(path, false) !== undefined;
    expect(['.git/config', 'a/.git/hooks/x', '.codex/blobs/ab', 'deep/.codex'].every(isIgnored)).toBe(true);
    expect(['.github/x', '.gitignore', 'x.git/y', 'my.codex', 'codex/x', 'git'].some(isIgnored)).toBe(false);
  });
});

describe('temporary names', () => {
  it('are those of editors and desktops, and not of people', () => {
    const temporary = [
      '.a.md.swp',
      'a.md~',
      '#a.md#',
      '.#a.md',
      '~$report.docx',
      '.~lock.x.odt#',
      '.DS_Store',
      '._x',
      'Thumbs.db',
    ];
    const people = [
      'a.md',
      '~',
      '#',
      '.env',
      'a.swp',
      'notes#1.md',
      '.part',
      'tmp',
      'a.tmp',
      'swp',
      'C#',
      '.gitignore',
      'a~b',
    ];
    expect(temporary.filter((name) => !isTemporaryName(name))).toEqual([]);
    expect(people.filter((name) => isTemporaryName(name))).toEqual([]);
  });
});

it('window layouts and backups of note programs are ignored, their settings are not', () => {
  const rules = new IgnoreRules();
  for (const path of ['.obsidian/workspace.json', 'vault/.obsidian/workspace-mobile.json', 'logseq/bak/a.md']) {
    expect(rules.reason(path, false)).toBeDefined();
  }
  expect(rules.reason('.obsidian/app.json', false)).toBeUndefined();
});
