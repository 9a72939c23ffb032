import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { expect, it } from 'vitest';

import { livePartsOf } from './live-preview.ts';

/** Returns the text without its hidden parts, for a cursor at the end of the text. */
function shown(text: string, cursor = text.length): string {
  const state = EditorState.create({
    doc: text,
    selection: { anchor: cursor },
    extensions: markdown({ base: markdownLanguage }),
  });
  ensureSyntaxTree(state, text.length, 5_000);
  const parts = livePartsOf(state, [{ from: 0, to: text.length }]);
  const words = { hidden: '', bullet: '•', rule: '—', task: '☐', 'done-task': '☑' } as const;
  let rest = text;
  for (const { from, to, show } of parts.toReversed()) {
    if (show !== 'line' && show !== 'mark') rest = rest.slice(0, from) + words[show] + rest.slice(to);
  }
  return rest;
}

it.each([
  ['# Title\n', 'Title\n'],
  ['**bold** and *thin* ~~gone~~\n', 'bold and thin gone\n'],
  ['a `code` b\n', 'a code b\n'],
  ['[text](https://example.org) https://example.org\n', 'text https://example.org\n'],
  ['- one\n- [ ] two\n- [x] three\n', '• one\n☐ two\n☑ three\n'],
  ['1. one\n', '1. one\n'],
  ['> quoted\n', ' quoted\n'],
  ['[[folder/note|name]] and [[other]]\n', 'name and other\n'],
  ['==marked== text\n', 'marked text\n'],
  ['a\n\n---\n', 'a\n\n—\n'],
  ['```\n# [[no]] ==no==\n```\n', '```\n# [[no]] ==no==\n```\n'],
  ['[label]: target.md\n', '[label]: target.md\n'],
])('%j is shown as %j while the cursor is elsewhere', (text, expected) => {
  expect(shown(`${text}\nend`)).toBe(`${expected}\nend`);
});

it('the line of the cursor shows its source', () => {
  expect(shown('# One\n\n# Two\n', 2)).toBe('# One\n\nTwo\n');
});

it('a note without Markdown is shown as it is', () => {
  const text = 'Plain text, 1 * 2 * 3.\nSecond line\n';
  expect(shown(`${text}\nend`)).toBe(`${text}\nend`);
});
