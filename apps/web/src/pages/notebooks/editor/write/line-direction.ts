import { type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

const auto = Decoration.line({ attributes: { dir: 'auto' } });

function visibleLines({ visibleRanges, state: { doc } }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to;) {
      const line = doc.lineAt(at);
      builder.add(line.from, line.from, auto);
      at = line.to + 1;
    }
  }
  return builder.finish();
}

/** Each line has the direction of its text. */
export const lineDirection: Extension = [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.define(
    (view) => ({
      decorations: visibleLines(view),
      update(update: ViewUpdate) {
        if (update.docChanged || update.viewportChanged) this.decorations = visibleLines(update.view);
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  ),
];
