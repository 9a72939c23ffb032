import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  encodeTarget,
  isRelativeLink,
  type LinkTarget,
  type LinkText,
  relativePath,
  relinked,
  resolveLink,
} from './links.ts';
import { linkKey } from './note/facts.ts';
import { parseNote } from './note/parse-note.ts';

/** A notebook with these paths. */
function world(paths: readonly string[]): (from: string, link: LinkText) => LinkTarget | undefined {
  const files = paths.map((path) => ({ id: path, path }));
  return (from, link) =>
    resolveLink(
      from,
      link,
      files.filter(({ path }) => linkKey(path) === linkKey(link.target)),
    );
}

const wiki = (target: string): LinkText => ({ kind: 'wiki', target });
const markdown = (target: string): LinkText => ({ kind: 'markdown', target });

describe('what a link means', () => {
  const resolve = world([
    'a.md',
    'x/a.md',
    'x/y/b.md',
    'z/b.md',
    'z/deep/er/b.md',
    'p.png',
    'x/Ünï.md',
    'n',
    'q.md/r.md',
  ]);
  const cases: readonly [from: string, link: LinkText, meant: string | undefined][] = [
    ['x/note.md', wiki('a'), 'a.md'],
    ['x/note.md', markdown('a.md'), 'x/a.md'],
    ['x/note.md', wiki('./a'), 'x/a.md'],
    ['x/note.md', wiki('/a'), 'a.md'],
    ['x/note.md', wiki('x/a.md'), 'x/a.md'],
    ['x/y/note.md', wiki('b'), 'x/y/b.md'],
    ['z/deep/note.md', wiki('b'), 'z/deep/er/b.md'],
    ['other/note.md', wiki('b'), 'z/b.md'],
    ['other/note.md', wiki('y/b'), 'x/y/b.md'],
    ['other/note.md', wiki('er/b.md'), 'z/deep/er/b.md'],
    ['other/note.md', wiki('nowhere/b'), undefined],
    ['z/note.md', markdown('../x/y/b.md'), 'x/y/b.md'],
    ['z/note.md', markdown('../../x/y/b.md'), undefined],
    ['z/note.md', markdown('x/y/b'), 'x/y/b.md'],
    ['note.md', { kind: 'embed', target: 'p.png' }, 'p.png'],
    ['note.md', wiki('p'), undefined],
    ['note.md', wiki('X/ÜNÏ'), 'x/Ünï.md'],
    ['note.md', wiki('x/U\u0308ni\u0308'), 'x/Ünï.md'],
    ['note.md', wiki('n'), 'n'],
    ['note.md', wiki('n.md'), undefined],
    ['note.md', wiki('q.md/r'), 'q.md/r.md'],
    ['note.md', wiki('gone'), undefined],
  ];
  it.each(cases)('from %s, %o is %s', (from, link, meant) => {
    expect(resolve(from, link)?.path).toBe(meant);
  });
});

describe('links that follow a move', () => {
  /** The note after its links were rewritten. */
  function after(
    note: string,
    text: string,
    before: readonly string[],
    moved: Readonly<Record<string, string>>,
  ): string {
    const now = (path: string): string => moved[path] ?? path;
    const was = world(before);
    const is = world(before.map(now));
    const kept = parseNote(text).links.flatMap(({ kind, target }) => {
      const meant = was(note, { kind, target });
      return meant === undefined
        ? []
        : [{ kind, target, file_id: now(meant.path), is_relative: isRelativeLink(note, { kind, target }, meant) }];
    });
    const place = now(note);
    const files = new Set(before.map(now));
    return (
      relinked(place, text, kept, {
        fileOf: (id) => (files.has(id) ? { id, path: id } : undefined),
        resolve: (written) => is(place, written),
      }) ?? text
    );
  }

  it('are written as before, by name, by path and from the folder', () => {
    const before = ['note.md', 'a.md', 'd/b.md', 'd/c d.md', 'd/p.png', 'e/b.md'];
    const text =
      '[[a]] [[a#part|text]] [[a.md]] ![[p.png]] [t](a.md "title") [t](d/c%20d.md#x) [t](<d/c d.md>) `[[a]]` [[d/b]] [w](https://a.md)\r\n';
    expect(after('note.md', text, before, { 'a.md': 'new/z.md' })).toBe(
      '[[z]] [[z#part|text]] [[z.md]] ![[p.png]] [t](new/z.md "title") [t](d/c%20d.md#x) [t](<d/c d.md>) `[[a]]` [[d/b]] [w](https://a.md)\r\n',
    );
    const folder = { 'd/b.md': 'f/g/b.md', 'd/c d.md': 'f/g/c d.md', 'd/p.png': 'f/g/p.png' };
    expect(after('note.md', text, before, folder)).toBe(
      '[[a]] [[a#part|text]] [[a.md]] ![[p.png]] [t](a.md "title") [t](f/g/c%20d.md#x) [t](<f/g/c d.md>) `[[a]]` [[f/g/b]] [w](https://a.md)\r\n',
    );
  });

  it('are corrected in the note that moves', () => {
    const before = ['note.md', 'a.md', 'd/b.md'];
    expect(after('note.md', '[x](a.md) [y](./d/b.md) [[a]] [z](/a.md)', before, { 'note.md': 'd/deep/note.md' })).toBe(
      '[x](../../a.md) [y](../b.md) [[a]] [z](/a.md)',
    );
  });

  it('are updated in definitions, in HTML and in properties', () => {
    const before = ['note.md', 'a.md', "d/it's.md"];
    const text = [
      '---',
      'up: "[[a]]"',
      "also: ['[[d/it''s|it]]', \"[[d/it's]]\"]",
      'bare: [[a]]',
      "source: 'see [a](a.md#x)'",
      '---',
      '[r]: a.md',
      '> [s]: <./a.md#part> "title"',
      '[web]: https://a.md',
      '[^1]: a.md',
      '<a class="x" href="a.md#y">a</a> <img',
      '  src=\'d/it%27s.md\' alt="">',
      '`<a href="a.md">`',
      '',
    ].join('\n');
    const moved = { 'a.md': "new/b's.md", "d/it's.md": "d/that's.md" };
    expect(after('note.md', text, before, moved).split('\n')).toEqual([
      '---',
      'up: "[[b\'s]]"',
      "also: ['[[d/that''s|it]]', \"[[d/that's]]\"]",
      // An apostrophe would change the meaning of this YAML.
      'bare: [[a]]',
      "source: 'see [a](new/b%27s.md#x)'",
      '---',
      '[r]: new/b%27s.md',
      `> [s]: <./new/b's.md#part> "title"`,
      '[web]: https://a.md',
      '[^1]: a.md',
      '<a class="x" href="new/b%27s.md#y">a</a> <img',
      '  src=\'d/that%27s.md\' alt="">',
      '`<a href="a.md">`',
      '',
    ]);
  });

  it('keep their meaning when another file of that name comes nearer', () => {
    const before = ['n/note.md', 'a/x.md', 'z/x.md'];
    expect(after('n/note.md', '[[x]]', before, { 'z/x.md': 'n/x.md' })).toBe('[[a/x]]');
  });

  it('are left alone when nothing can name the file', () => {
    expect(after('note.md', '[[a]] [a](a.md)', ['note.md', 'a.md'], { 'a.md': 'x#1.md' })).toBe('[[a]] [a](x%231.md)');
  });

  const name = fc.constantFrom('a', 'b', 'c d', 'ü', 'x(1)');
  const path = fc
    .tuple(
      fc.array(fc.constantFrom('p', 'q', 'r s'), { maxLength: 2 }),
      name,
      fc.constantFrom('.md', '.png', '.markdown'),
    )
    .map(([folders, last, ending]) => [...folders, last + ending].join('/'));
  const noise = fc.constantFrom(
    'text ',
    '\n',
    '`[[a]]`',
    '\r\n',
    '[[',
    '](',
    '~~~\n',
    '# h #tag\n',
    '\\[',
    'é',
    '- [ ] ',
  );

  it('change nothing but their targets, mean the same files', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(path, { minLength: 3, maxLength: 8 }),
        fc.array(fc.tuple(noise, fc.nat(), fc.nat(6)), { maxLength: 8 }),
        path,
        (paths, parts, target) => {
          const [note = '', other = ''] = paths;
          fc.pre(!paths.includes(target) && note.endsWith('.md'));
          const text = parts
            .map(([before, index, form]) => before + link(form, paths[index % paths.length] ?? '', note))
            .join('');
          for (const moved of [{ [other]: target }, { [note]: target }]) {
            fc.pre(target.endsWith('.md') || moved[note] === undefined);
            const changed = after(note, text, paths, moved);
            const links = [parseNote(text).links, parseNote(changed).links] as const;
            expect(links[1]).toHaveLength(links[0].length);
            expect(without(changed, links[1])).toBe(without(text, links[0]));
            const was = world(paths);
            const is = world(paths.map((each) => moved[each] ?? each));
            for (const [index, before] of links[0].entries()) {
              const meant = was(note, before)?.path;
              const now = links[1][index];
              if (meant !== undefined && now !== undefined) {
                expect(is(moved[note] ?? note, now)?.path).toBe(moved[meant] ?? meant);
              }
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  function link(form: number, target: string, note: string): string {
    const bare = target.replace(/\.md$/u, '');
    const forms = [
      `[[${bare}|t]]`,
      `![[${target}]]`,
      `[t](</${target}>)`,
      `[[${bare.slice(bare.lastIndexOf('/') + 1)}]]`,
      `[t](${encodeTarget(relativePath(note, target))})`,
      `\n[r]: ${encodeTarget(relativePath(note, target))} "title"\n`,
      `<img class=x\n src='${encodeTarget(relativePath(note, target))}'/>`,
    ];
    return forms[form] ?? '';
  }

  function without(text: string, links: readonly { start: number; end: number }[]): string {
    let rest = '';
    let done = 0;
    for (const { start, end } of links) {
      rest += `${text.slice(done, start)}@`;
      done = end;
    }
    return rest + text.slice(done);
  }
});
