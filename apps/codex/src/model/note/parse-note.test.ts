import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseNote } from './parse-note.ts';

describe('front matter', () => {
  test('gives title, description, tags and properties, whatever the line ends', () => {
    const source = '---\ntitle: Boiling\ndescription: "At 100 °C"\ntags: [Lab, \'#water\']\ncount: 3\n---\n# Other\n';
    for (const text of [source, source.replaceAll('\n', '\r\n'), `\uFEFF${source}`]) {
      expect(parseNote(text)).toMatchObject({
        title: 'Boiling',
        description: 'At 100 °C',
        tags: ['Lab', 'water'],
        properties: { title: 'Boiling', count: 3 },
        propertiesError: null,
        headings: [{ level: 1, text: 'Other', line: 7 }],
      });
      expect(parseNote(text).text.trim()).toBe('# Other');
    }
  });

  test('is none without a closing fence, and may be empty', () => {
    expect(parseNote('---\na: 1\n')).toMatchObject({ properties: {}, text: '---\na: 1\n' });
    expect(parseNote('---\n---\nText')).toMatchObject({ properties: {}, propertiesError: null, text: 'Text' });
    expect(parseNote('---\na: 1\n...\nText')).toMatchObject({ properties: { a: 1 }, text: 'Text' });
    expect(parseNote('Text\n---\na: 1\n---\n')).toMatchObject({ properties: {} });
  });

  test('that cannot be read is an error with its line, and the note is still there', () => {
    const note = parseNote('---\ntitle: "open\nother: 1\n---\n# Title\nText');
    expect(note).toMatchObject({ properties: {}, title: 'Title', text: '# Title\nText' });
    expect(note.propertiesError).toMatch(/^line [234]: /u);
    expect(parseNote('---\na: 1\na: 2\n---\n').propertiesError).toMatch(/unique/u);
    expect(parseNote('---\n- a\n---\n').propertiesError).toMatch(/not a mapping of names/u);
    expect(parseNote(`---\na: ${'x'.repeat(70_000)}\n---\nText`)).toMatchObject({ properties: {}, text: 'Text' });
  });

  test('runs nothing and cannot blow up', () => {
    const bomb = ['a: &a [x, x]', 'b: &b [*a, *a, *a, *a, *a, *a, *a, *a]', 'c: &c [*b, *b, *b, *b, *b, *b, *b, *b]'];
    const deep = 'd: [*c, *c, *c, *c, *c, *c, *c, *c]';
    expect(parseNote(`---\n${[...bomb, deep].join('\n')}\n---\n`).propertiesError).toMatch(/alias/iu);
    for (const head of ['a: !!js/function "function () { globalThis.HIT = 1 }"', 'js\n{ a: (globalThis.HIT = 1) }']) {
      parseNote(`---${head.startsWith('js') ? head : `\n${head}`}\n---\n`);
    }
    expect(globalThis).not.toHaveProperty('HIT');
    const { properties } = parseNote('---\n__proto__: { polluted: true }\nn: .inf\nz: "\\0"\n2024: year\n---\n');
    expect({}).not.toHaveProperty('polluted');
    expect(properties).toMatchObject({ n: 'Infinity', z: '\u{fffd}', 2024: 'year' });
  });
});

describe('the text', () => {
  test('has no links, tags, headings and blocks in HTML comments', () => {
    const note = parseNote(
      [
        '<!-- [[a]] #a ^a -->',
        '<!--',
        '## B',
        '```',
        '[[b]] #b',
        '--> [[c]]',
        'x <!-- [[d]] --> [[e]] <!-- [[f]] --> #f',
        '`<!--` [[g]] and 1 <!-- 2 [[h]]',
        '## I',
        '```',
        '<!--',
        '```',
        '[[j]]',
        '- <!-- - [[k]]',
      ].join('\n'),
    );
    expect(note.links.map(({ target }) => target)).toEqual(['c', 'e', 'g', 'h', 'j']);
    expect(note).toMatchObject({ tags: ['f'], headings: [{ text: 'I', line: 9 }], ids: [] });
    const source = 'x <!-- [[d]] --> [[e]]';
    const [link] = parseNote(source).links;
    expect(source.slice(link!.start, link!.end)).toBe('e');
  });

  test('has headings, and the first is the title', () => {
    const note = parseNote('intro\n\n```\n# code\n```\n## A *fine* [link](x.md) ##\n\nUnder\n=====\n#nospace\n');
    expect(note.title).toBe('A fine link');
    expect(note.headings).toEqual([
      { level: 2, text: 'A fine link', line: 6 },
      { level: 1, text: 'Under', line: 8 },
    ]);
    expect(parseNote('no heading').title).toBeNull();
  });

  test('has tags as words outside of code and addresses', () => {
    const text =
      '#one and (#two/sub), a#no `#code` #3 #4th https://x.org/#frag \\#esc\n~~~\n#fenced\n~~~\n#Größe- #one';
    expect(parseNote(text).tags).toEqual(['one', 'two/sub', '4th', 'Größe']);
  });

  test('has no Markdown inside raw HTML, and a fence there does not hide the text after it', () => {
    const html = '<pre id="query"><code>```query\n[[no]] #no <a href="yes.md">\n# no\n```</code></pre>';
    const note = parseNote(`${html}\nSee [[after]] #after\n  <STYLE>[[no]]</STYLE> [[no]]\n<prefix> [[last]]\n`);
    expect(note.links.map(({ target, line }) => [target, line])).toEqual([
      ['yes.md', 2],
      ['after', 5],
      ['last', 7],
    ]);
    expect(note).toMatchObject({ tags: ['after'], headings: [], ids: ['query'] });
    expect(parseNote('```\n<pre>\n```\n[[after]]\n').links).toHaveLength(1);
    expect(parseNote('<pre>\n```\n[[never closed]]\n').links).toEqual([]);
  });

  test('has links with the place of their targets', () => {
    const text = [
      '---\na: 1\n---\n',
      'See [[Some Note#Part|it]], ![[pic.png]] and [a *b*](../x%20y.md#z "title").\n',
      '![alt](<my pic.png>) [web](https://x.org) [![in](i.png)](o.md) `[[code]]` [p](a_(b).md) [[#here]] [m](mailto:a)\n',
    ].join('');
    const { links } = parseNote(text);
    expect(links.map(({ kind, target, part, text: shown, line }) => [kind, target, part, shown, line])).toEqual([
      ['wiki', 'Some Note', 'Part', 'it', 4],
      ['embed', 'pic.png', null, 'pic.png', 4],
      ['markdown', '../x y.md', 'z', 'a *b*', 4],
      ['image', 'my pic.png', null, 'alt', 5],
      ['image', 'i.png', null, 'in', 5],
      ['markdown', 'o.md', null, '![in](i.png)', 5],
      ['markdown', 'a_(b).md', null, 'p', 5],
    ]);
    const written = ['Some Note', 'pic.png', '../x%20y.md', 'my pic.png', 'i.png', 'o.md', 'a_(b).md'];
    expect(links.map(({ start, end }) => text.slice(start, end))).toEqual(written);
  });

  test('has links in definitions, HTML and properties, with their lines', () => {
    const text = [
      "---\nup: \"[[Home]]\"\nlist:\n  - '[it''s](it''s.md)'\n# no #tag\n---\n",
      '[r]: <a b.md> (title)\n> [s]: c%20d.md#part\n[TODO]: not a target\n[^1]: note [[n]]\n',
      '<a href="x&amp;y.md" style="color:#fff">#tag</a> <img alt\nsrc=i.png> <https://x.org> a <b [[c]]\n',
    ].join('');
    const note = parseNote(text);
    expect(note.links.map(({ kind, target, part, line }) => [kind, target, part, line])).toEqual([
      ['wiki', 'Home', null, 2],
      ['markdown', "it's.md", null, 4],
      ['markdown', 'a b.md', null, 7],
      ['markdown', 'c d.md', 'part', 8],
      ['wiki', 'n', null, 10],
      ['markdown', 'x&y.md', null, 11],
      ['image', 'i.png', null, 12],
      ['wiki', 'c', null, 12],
    ]);
    expect(note.tags).toEqual([]);
    expect(note.links.map(({ start, end }) => text.slice(start, end))).toContain("it''s.md");
  });

  test('of any kind is read without failing, in time that grows with its length', () => {
    const piece = fc.constantFrom(
      '---\n',
      '[[',
      ']]',
      '](',
      '[',
      '`',
      '```\n',
      '#',
      '#a',
      '\\',
      '\n',
      '\r\n',
      '|',
      'x',
      ': ',
      '&a ',
      '*a',
      ']: ',
      '<a href=',
      '"',
      "'",
      '>',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const source = pieces.join('');
        const note = parseNote(source);
        expect(source.endsWith(note.text)).toBe(true);
        for (const { start, end, target } of note.links) {
          expect(end).toBeGreaterThan(start);
          expect(target).not.toBe('');
          expect(source.slice(start, end)).not.toContain('\n');
        }
      }),
      { numRuns: 500 },
    );
    for (const hostile of [
      '[',
      '![[',
      '`',
      '](',
      '[](',
      '#a',
      '\\',
      '[[a|',
      '(((',
      '---\n',
      '> ```\n',
      '<a ',
      '<a\n',
      "<a href='",
      '[r]: ',
    ]) {
      parseNote(hostile.repeat(50_000));
    }
    for (const value of ["'[[a]]", '"[[a]]', '[[a]] ']) parseNote(`---\na: ${value.repeat(8_000)}\n---\n`);
  });
});
