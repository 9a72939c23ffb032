import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { editFrontMatter, editSidecar, type PropertyEdit } from './edit-properties.ts';
import { findFrontMatter } from './properties.ts';
import { parseNote } from './parse-note.ts';

const edit = (set: Record<string, unknown>, unset: string[] = [], only = false): PropertyEdit => ({ set, unset, only });

const NOTE = `---
# what it is about
title:   "Boiling"   # as said
tags: [x,  y]
list:
- one
- two

# the state
status: open
date: 2026-11-15
---
# Text --- with things

---
not: front matter
---
`;

describe('editing front matter', () => {
  test('changes only the lines of what changes', () => {
    const changed = editFrontMatter(NOTE, edit({ status: 'done' }));
    expect(changed).toBe(NOTE.replace('status: open', 'status: done'));
    expect(editFrontMatter(NOTE, edit({}, ['list']))).toBe(NOTE.replace('list:\n- one\n- two\n', ''));
    expect(editFrontMatter(NOTE, edit({ extra: { a: [1] } }))).toBe(
      NOTE.replace('date: 2026-11-15\n', 'date: 2026-11-15\nextra:\n  a:\n    - 1\n'),
    );
    expect(editFrontMatter(NOTE, edit({ status: 'open' }, ['absent']))).toBe(NOTE);
  });

  test('takes names that plain objects have already for ordinary names', () => {
    const named = NOTE.replace('status: open', 'constructor: me');
    expect(editFrontMatter(named, edit({}, ['constructor']))).toBe(NOTE.replace('status: open\n', ''));
    expect(editFrontMatter(NOTE, edit({}, ['constructor']))).toBe(NOTE);
  });

  test('keeps line ends and the mark at the beginning', () => {
    for (const mark of ['', '\uFEFF']) {
      const text = mark + NOTE.replaceAll('\n', '\r\n');
      expect(editFrontMatter(text, edit({ status: 'done' }))).toBe(text.replace('status: open', 'status: done'));
      const bare = `${mark}Text\r\nmore`;
      const added = editFrontMatter(bare, edit({ a: 1 }));
      expect(added).toBe(`${mark}---\r\na: 1\r\n---\r\nText\r\nmore`);
      expect(editFrontMatter(added, edit({}, ['a']))).toBe(bare);
    }
  });

  test('writes words that others take for something else in quotes', () => {
    expect(editFrontMatter('', edit({ a: 'yes', b: '1', c: 'null', d: '2026', e: ': #' }))).toBe(
      '---\na: "yes"\nb: "1"\nc: "null"\nd: "2026"\ne: ": #"\n---\n',
    );
  });

  test('replaces everything but title and description when asked to', () => {
    const text = editFrontMatter(NOTE, edit({ status: 'done' }, [], true));
    expect(parseNote(text).properties).toEqual({ title: 'Boiling', status: 'done' });
    expect(text).toContain('# as said');
  });

  test('handles properties in one line and references', () => {
    const flow = '---\n{a: 1, b: 2} # all\n---\nText';
    expect(parseNote(editFrontMatter(flow, edit({ b: 3, c: 4 })))).toMatchObject({
      properties: { a: 1, b: 3, c: 4 },
      text: 'Text',
    });
    const alias = '---\na: &x [1]\nb: *x\n---\nText';
    expect(parseNote(editFrontMatter(alias, edit({ b: 2 }))).properties).toEqual({ a: [1], b: 2 });
    expect(() => editFrontMatter(alias, edit({ a: 2 }))).toThrow(
      expect.objectContaining({ code: 'PROPERTIES_INVALID' }),
    );
  });

  test('refuses what it cannot read, so that nothing is lost', () => {
    const wrong = '---\na: [\n---\nText';
    expect(() => editFrontMatter(wrong, edit({ b: 1 }))).toThrow(
      expect.objectContaining({ code: 'PROPERTIES_INVALID' }),
    );
    expect(() => editFrontMatter('', edit({ b: 'x'.repeat(70_000) }))).toThrow(/too long|64 KiB/u);
  });

  test('of any note comes to what was asked for, and the rest of the file is the same', () => {
    const key = fc.constantFrom('title', 'a', 'b c', 'tags', 'é', '#x', '1', 'null');
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string()),
      fc.dictionary(fc.constantFrom('x', 'y'), fc.integer()),
    );
    const change = fc.oneof(fc.tuple(key, value), fc.tuple(key, fc.constant(undefined)));
    const body = fc.constantFrom('', 'Text', '\n\n', '---\n', '# T\r\n\r\nx', '---\r\na\r\n', 'é\u{1f600}\n');
    fc.assert(
      fc.property(body, fc.array(change, { maxLength: 12 }), fc.boolean(), (rest, changes, hasMark) => {
        const start = hasMark ? `\uFEFF${rest}` : rest;
        let text = start;
        const wanted = new Map<string, unknown>();
        for (const [name, given] of changes) {
          if (given === undefined) wanted.delete(name);
          else wanted.set(name, given);
          text = editFrontMatter(text, given === undefined ? edit({}, [name]) : edit({ [name]: given }));
          const end = findFrontMatter(text)?.body;
          if (wanted.size > 0) {
            expect(text.slice(end)).toBe(rest);
            expect(text.startsWith('\uFEFF')).toBe(hasMark);
          }
        }
        if (wanted.size === 0) expect(text).toBe(start);
        else {
          const clean = JSON.stringify(Object.fromEntries(wanted)).replaceAll(String.raw`\u0000`, '\u{fffd}');
          const { properties, propertiesError } = parseNote(text);
          expect(propertiesError).toBeNull();
          expect(properties).toEqual(JSON.parse(clean));
        }
      }),
      { numRuns: 60 },
    );
  });
});

test('a file beside another is edited as YAML or JSON', () => {
  expect(editSidecar('.a.png.yaml', '# note\na: 1\n', edit({ b: 2 }))).toBe('# note\na: 1\nb: 2\n');
  expect(editSidecar('.a.png.yaml', '', edit({ b: 2 }))).toBe('b: 2\n');
  expect(editSidecar('.a.png.json', '{"a":1}', edit({ b: 2 }, ['a']))).toBe('{\n  "b": 2\n}\n');
});
