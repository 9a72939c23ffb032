import { describe, expect, it } from 'vitest';

import { nameFromTitle, notebookPath, notePath, numbered, titleOf } from './path.ts';
import { onDate, render } from './template.ts';

const at = { year: 2026, month: 1, day: 5, hour: 7, minute: 3, second: 9 };
const values = { title: 'T', author: 'Ada', at };

describe('a template', () => {
  it('gets its values, in the form that it asks for', () => {
    const text = '---\ntitle: {{ title }}\n---\n{{date}} {{time}} {{author}} {{date:DD.MM.YYYY}} {{time:HH-mm-ss}}';
    expect(render(text, values)).toBe('---\ntitle: T\n---\n2026-01-05 07:03 Ada 05.01.2026 07-03-09');
  });

  it('takes the formats of Obsidian, also as the defaults of a vault', () => {
    expect(render('{{date:dddd, MMMM Do YYYY}} {{date:ddd D.M.YY [at] H:mm}}', values)).toBe(
      'Monday, January 5th 2026 Mon 5.1.26 at 7:03',
    );
    const formats = { date: 'DD/MM', time: undefined };
    expect(render('{{date}} {{time}}', { ...values, formats })).toBe('05/01 07:03');
  });

  it('keeps what it does not know, and never looks into what it put in', () => {
    expect(render('{{x}} {{ constructor }} {{title', values)).toBe('{{x}} {{ constructor }} {{title');
    expect(render('{{title}}', { ...values, title: '{{author}} $& $1' })).toBe('{{author}} $& $1');
  });
});

describe('a day', () => {
  it('is one that exists', () => {
    expect(onDate(at, '2024-02-29')).toEqual({ ...at, year: 2024, month: 2, day: 29 });
    for (const date of ['2023-02-29', '2023-13-01', '2023-00-10', 'today', ''])
      expect(onDate(at, date)).toBeUndefined();
  });
});

describe('the name of a note', () => {
  it('is its title without what names cannot have', () => {
    expect(nameFromTitle('a/b: c? #1')).toBe('a b c 1');
    expect(nameFromTitle(' ..  ')).toBe('Untitled');
    expect(Buffer.byteLength(nameFromTitle('ü'.repeat(500)))).toBeLessThanOrEqual(120);
    for (const title of ['x', '[[a|b]]', 'ﬁ\u200b', '日本語 / 1'])
      expect(() => notebookPath(`${nameFromTitle(title)}.md`)).not.toThrow();
  });

  it('ends in .md unless it says otherwise, and is numbered before its ending', () => {
    expect(notePath('a/b')).toBe('a/b.md');
    expect(notePath('a/b.txt')).toBe('a/b.txt');
    expect(titleOf('a/b.c.md')).toBe('b.c');
    expect(titleOf('.hidden')).toBe('.hidden');
    expect(numbered(notebookPath('a.b/c.md'), 2)).toBe('a.b/c-2.md');
    expect(numbered(notebookPath('a.b/c'), 1)).toBe('a.b/c-1');
  });
});
