import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { NAME_MAX, pathKey, safeName, scrub } from './path-names.ts';
import { parseTemplate, renderTemplate, TEMPLATE_VARIABLES, type TemplateValues } from './templates.ts';

const render = (template: string, values: TemplateValues): string => renderTemplate(parseTemplate(template), values);
const DUNE = {
  author: 'Frank Herbert',
  series: 'Dune',
  sequence: '1',
  title: 'Dune',
  year: '1965',
  ext: 'mp3',
  track: '7',
};

describe('a template', () => {
  it.each([
    ['{author}/{title}', 'Frank Herbert/Dune'],
    ['{author}/[{series}/][{sequence:2} - ]{title}[ ({year})]', 'Frank Herbert/Dune/01 - Dune (1965)'],
    ['{author}/{title}/[{track:3} - ]{title}.{ext}', 'Frank Herbert/Dune/007 - Dune.mp3'],
    ['{title}[ {{{narrator}}}]', 'Dune'],
    ['{{{title}}} [[x]]', '{Dune} [x]'],
    ['{author}//{title}/', 'Frank Herbert/Dune'],
    ['[{narrator}/]{title}', 'Dune'],
  ])('%s gives %s', (template, path) => {
    expect(render(template, DUNE)).toBe(path);
  });

  it.each([
    ['1', '01'],
    ['0.5', '00.5'],
    ['1-3', '01-03'],
    ['1a', '01a'],
    ['12', '12'],
  ])('pads the position %s to %s', (sequence, padded) => {
    expect(render('{sequence:2} {title}', { sequence, title: 'T' })).toBe(`${padded} T`);
  });

  it('says something where an author or title is missing', () => {
    expect(render('{author}/{title}', {})).toBe('Unknown Author/Untitled');
    expect(render('{author}/[{series} ]{title}.{ext}', { title: '...', ext: 'mp3' })).toBe(
      'Unknown Author/Untitled.mp3',
    );
  });

  it.each([
    ['{autor}/{title}', /Unknown variable \{autor\}/],
    ['{author}', /needs \{title\}/],
    ['{title', /write it twice/],
    ['{title}]', /write it twice/],
    ['[{title}', /never closed/],
    ['[[{title}', undefined],
    ['[{a[{title}]]', /write it twice/],
    ['/{title}', /relative/],
    ['../{title}', /cannot contain/],
    ['{author}/./{title}', /cannot contain/],
    ['C:{title}', /relative/],
    ['{author}\\{title}', /relative/],
    ['{ext}/{title}', /at the end/],
    ['{title}{ext}', /at the end/],
  ])('%s is refused or understood', (template, message) => {
    if (message === undefined) expect(() => parseTemplate(template)).not.toThrow();
    else expect(() => parseTemplate(template)).toThrow(message);
  });
});

const HOSTILE = [
  '../../etc/passwd',
  '..\\..\\windows\\system32',
  '/absolute',
  'C:\\x',
  '.hidden',
  '...',
  '. .',
  '..',
  '.',
  '',
  ' ',
  'CON',
  'nul.txt',
  'COM1',
  'lpt9.mp3',
  'name.',
  'name ',
  'a/b/c',
  'Tarkin - Star Wars - 3/85',
  'x'.repeat(300),
  'é'.repeat(300),
  '👩‍👩‍👧‍👦'.repeat(60),
  'a\u0000b',
  'line\nbreak',
  'tab\there',
  '\u202Egpj.exe',
  '\uFEFFbom',
  'AC/DC: Live?',
  '<script>',
  'a|b*c',
  '~',
  '-rf',
  '$HOME',
  '`id`',
  '%2e%2e%2f',
  '\ud800',
  'ﬁ',
  'Å',
  'A\u030a',
  '／',
  '∕',
];

const TEMPLATES = [
  '{author}/{title}',
  '{title}',
  '{author}/[{series}/][{sequence:2} - ]{title}[ ({year})]/[{disc}-][{track:3} - ]{title}.{ext}',
  '[{series}/]{title} {{{narrator}}}.{ext}',
  '{series}/{series}/{title}.{ext}',
];

function expectSafe(path: string): void {
  expect(path).not.toBe('');
  expect(path.startsWith('/')).toBe(false);
  for (const component of path.split('/')) {
    expect(component).not.toBe('');
    expect(component).not.toMatch(/^\.|^\s|[.\s]$/u);
    // oxlint-disable-next-line no-control-regex -- the path must not contain control characters
    expect(component).not.toMatch(/[\\:<>|?*"\u0000-\u001f\u007f\u202a-\u202e]/u);
    expect(component).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu);
    expect(Buffer.byteLength(component)).toBeLessThanOrEqual(NAME_MAX);
    expect(component.isWellFormed()).toBe(true);
    expect(component).toBe(component.normalize('NFC'));
  }
}

describe('a path made from anything', () => {
  it.each(HOSTILE)('%j is harmless in every variable of every template', (text) => {
    expect.hasAssertions();
    for (const template of TEMPLATES) {
      for (const name of TEMPLATE_VARIABLES)
        expectSafe(render(template, { ...DUNE, ...(name === 'ext' ? {} : { [name]: text }) }));
    }
  });

  it('any text whatever is harmless, and gives no more folders than the template has', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.constantFrom(...HOSTILE));
    const record = fc.record({ author: text, series: text, sequence: text, title: text, narrator: text, year: text });
    fc.assert(
      fc.property(fc.constantFrom(...TEMPLATES), record, (template, values) => {
        const path = render(template, { ...values, ext: 'm4b', track: '1' });
        expectSafe(path);
        expect(path.split('/').length).toBeLessThanOrEqual(template.split('/').length);
        if (template.includes('{ext}')) expect(path.endsWith('.m4b')).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('what is safe stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const once = safeName(scrub(text));
        expect(safeName(scrub(once))).toBe(once);
      }),
      { numRuns: 500 },
    );
  });

  it('spellings that one file system takes for the same have the same key', () => {
    expect(pathKey('Frank Herbert/DUNE')).toBe(pathKey('frank herbert/dune'));
    expect(pathKey('Stanisław Ångström')).toBe(pathKey('Stanisław A\u030angstro\u0308m'));
    expect(pathKey('a/b')).not.toBe(pathKey('a/c'));
  });
});
