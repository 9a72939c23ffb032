import { diff } from '@codemirror/merge';
import { Annotation, type ChangeSpec, type Text, Transaction } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

/** Marks changes that were not typed here. */
export const isFromOutside = Annotation.define<boolean>();

/** Beyond this, the diff becomes coarser. */
const SCAN_LIMIT = 1_000;

/** Only the differences, so that cursor, selection, scroll position and undo history stay. */
function changesBetween(from: Text, to: Text): readonly ChangeSpec[] {
  return diff(from.toString(), to.toString(), { scanLimit: SCAN_LIMIT }).map(({ fromA, toA, fromB, toB }) => ({
    from: fromA,
    to: toA,
    insert: to.slice(fromB, toB),
  }));
}

export function showText(view: EditorView, text: Text): void {
  if (view.state.doc.eq(text)) return;
  view.dispatch({
    changes: [...changesBetween(view.state.doc, text)],
    annotations: [isFromOutside.of(true), Transaction.addToHistory.of(false)],
  });
}
