import { markdown } from '@codemirror/lang-markdown';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';

import { continueList } from './markdown-commands.ts';

/** Returns the text after Enter at the end of `doc`; undefined if the command leaves Enter to the editor. */
function afterEnter(doc: string): string | undefined {
  const state = EditorState.create({ doc, selection: { anchor: doc.length }, extensions: [markdown()] });
  let next: string | undefined;
  continueList({ state, dispatch: (transaction) => (next = transaction.newDoc.toString()) });
  return next;
}

describe('Enter in a list', () => {
  it('continues it after an item', () => {
    expect(afterEnter('- milk')).toBe('- milk\n- ');
    expect(afterEnter('1. boil\n2. stir')).toBe('1. boil\n2. stir\n3. ');
    expect(afterEnter('- [x] milk')).toBe('- [x] milk\n- [ ] ');
  });

  it('ends it on an empty item, without a blank line and another item', () => {
    expect(afterEnter('- milk\n- bread\n- ')).toBe('- milk\n- bread\n');
    expect(afterEnter('- [ ] milk\n- [ ] bread\n- [ ] ')).toBe('- [ ] milk\n- [ ] bread\n');
  });

  it('does not continue it after a blank line', () => {
    expect(afterEnter('- milk\n- bread\n\n') ?? '').not.toContain('\n\n- ');
    expect(afterEnter('- milk\n\nText') ?? '').not.toMatch(/Text\n.*- /u);
  });
});
