import { deleteMarkupBackward, insertNewlineContinueMarkupCommand } from '@codemirror/lang-markdown';
import { syntaxTree } from '@codemirror/language';
import { EditorSelection, type EditorState, type StateCommand, type TransactionSpec } from '@codemirror/state';
import type { KeyBinding } from '@codemirror/view';

function around(mark: string): StateCommand {
  return ({ state, dispatch }) => {
    const change = state.changeByRange((range) => {
      const { from, to } = range;
      const size = mark.length;
      const isMarked =
        state.sliceDoc(from - size, from) === mark && state.sliceDoc(to, to + size) === mark && from >= size;
      if (isMarked) {
        return {
          changes: [
            { from: from - size, to: from },
            { from: to, to: to + size },
          ],
          range: EditorSelection.range(from - size, to - size),
        };
      }
      return {
        changes: [
          { from, insert: mark },
          { from: to, insert: mark },
        ],
        range: EditorSelection.range(from + size, to + size),
      };
    });
    dispatch(state.update(change, { scrollIntoView: true, userEvent: 'input' }));
    return true;
  };
}

export const toggleBold = around('**');
export const toggleItalic = around('_');

/** Turns the selection into a link, and puts the cursor where the text or the URL is missing. */
export const insertLink: StateCommand = ({ state, dispatch }) => {
  const change = state.changeByRange(({ from, to }) => {
    const text = state.sliceDoc(from, to);
    const isAddress = /^https?:\/\/\S+$/u.test(text);
    const insert = isAddress ? `[](${text})` : `[${text}]()`;
    const cursor = isAddress || text === '' ? from + 1 : from + insert.length - 1;
    return { changes: { from, to, insert }, range: EditorSelection.cursor(cursor) };
  });
  dispatch(state.update(change, { scrollIntoView: true, userEvent: 'input' }));
  return true;
};

export const insertTable: StateCommand = ({ state, dispatch }) => {
  const { to } = state.doc.lineAt(state.selection.main.to);
  const before = to === 0 ? '' : '\n\n';
  const insert = `${before}| Column | Column |\n| ------ | ------ |\n|        |        |\n`;
  dispatch(
    state.update({
      changes: { from: to, insert },
      selection: { anchor: to + before.length + 2, head: to + before.length + 8 },
      scrollIntoView: true,
      userEvent: 'input',
    }),
  );
  return true;
};

const LIST_ITEM = /^(?<start>\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+)(?:\[(?<mark>[ xX])\]\s)?/u;
const INDENT = /^\s*(?:>\s*)*/u;

export const toggleTask: StateCommand = ({ state, dispatch }) => {
  const lines = new Set(state.selection.ranges.flatMap((range) => linesOf(state, range.from, range.to)));
  dispatch(state.update({ changes: [...lines].map((line) => taskChange(state, line)), userEvent: 'input' }));
  return true;
};

function linesOf(state: EditorState, from: number, to: number): readonly number[] {
  const first = state.doc.lineAt(from).number;
  return Array.from({ length: state.doc.lineAt(to).number - first + 1 }, (_, n) => first + n);
}

function taskChange(state: EditorState, number: number): { from: number; to?: number; insert: string } {
  const { from, text } = state.doc.line(number);
  const found = LIST_ITEM.exec(text)?.groups;
  if (found === undefined) return { from: from + (INDENT.exec(text)?.[0].length ?? 0), insert: '- [ ] ' };
  const at = from + (found['start'] ?? '').length;
  if (found['mark'] === undefined) return { from: at, insert: '[ ] ' };
  return { from: at + 1, to: at + 2, insert: found['mark'] === ' ' ? 'x' : ' ' };
}

export function toggleTaskAt(state: EditorState, position: number): TransactionSpec | undefined {
  let node: ReturnType<ReturnType<typeof syntaxTree>['resolveInner']> | null = syntaxTree(state).resolveInner(
    position,
    0,
  );
  while (node !== null && node.name !== 'TaskMarker') node = node.parent;
  return node === null ? undefined : toggleMarker(state, node.from);
}

export function toggleMarker(state: EditorState, from: number): TransactionSpec {
  const insert = state.sliceDoc(from + 1, from + 2) === ' ' ? 'x' : ' ';
  return { changes: { from: from + 1, to: from + 2, insert }, userEvent: 'input' };
}

/** Enter in an empty item ends the list instead of adding a blank line to it. */
export const continueList: StateCommand = insertNewlineContinueMarkupCommand({ nonTightLists: false });

/** The page also uses some of these keys; inside the editor, they edit the text. */
export const markdownKeys: readonly KeyBinding[] = [
  { key: 'Mod-b', run: toggleBold, preventDefault: true, stopPropagation: true },
  { key: 'Mod-i', run: toggleItalic, preventDefault: true, stopPropagation: true },
  // Not Ctrl+K, which opens the dashboard's search.
  { key: 'Mod-Shift-k', run: insertLink, preventDefault: true, stopPropagation: true },
  { key: 'Mod-Enter', run: toggleTask, preventDefault: true },
  { key: 'Enter', run: continueList },
  { key: 'Backspace', run: deleteMarkupBackward },
];
