import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { indentOnInput, LanguageDescription, syntaxHighlighting } from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  ViewPlugin,
} from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';

import { editorTheme } from './editor-theme.ts';
import { lineDirection } from './line-direction.ts';
import { markdownKeys, toggleTaskAt } from './markdown-commands.ts';
import { noteCompletion } from './note-completion.ts';
import { isFromOutside } from './outside-changes.ts';

interface EditorOptions {
  readonly notebookId: string;
  readonly filename: string;
  readonly isMarkdown: boolean;
  readonly isReadOnly: boolean;
  readonly onTyped: (text: Text) => void;
  readonly onSave: () => void;
  /** The state after a change of text or cursor. */
  readonly onMoved: (state: EditorState) => void;
}

/** Extensions of every text editor, including the conflict view. */
export const commonExtensions: readonly Extension[] = [
  highlightSpecialChars(),
  drawSelection(),
  EditorView.lineWrapping,
  lineDirection,
  editorTheme,
  syntaxHighlighting(classHighlighter),
  EditorView.contentAttributes.of({ spellcheck: 'true', autocapitalize: 'sentences', tabindex: '0' }),
];

export function noteExtensions(options: EditorOptions): readonly Extension[] {
  const { isMarkdown, isReadOnly, onTyped, onSave, onMoved } = options;
  return [
    ...commonExtensions,
    leaving,
    history(),
    dropCursor(),
    indentOnInput(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({ 'aria-label': 'Note text' }),
    isMarkdown ? markdownExtensions(options.notebookId) : languageOf(options.filename),
    keymap.of([
      { key: 'Mod-s', run: saved(onSave), preventDefault: true },
      ...(isMarkdown ? markdownKeys : []),
      ...completionKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    EditorView.updateListener.of((update) => {
      const isOutside = update.transactions.some((transaction) => transaction.annotation(isFromOutside) === true);
      if (update.docChanged && !isOutside) onTyped(update.state.doc);
      if (update.docChanged || update.selectionSet) onMoved(update.state);
    }),
  ];
}

const TAB_LEAVES_MS = 60_000;

/** Tab indents; after Escape it leaves the editor, until another key is pressed. */
const leaving = EditorView.domEventHandlers({
  keydown(event, view) {
    // After all other handlers of the key; the editor's own limit is only two seconds.
    if (event.key === 'Escape') queueMicrotask(() => view.setTabFocusMode(TAB_LEAVES_MS));
    return false;
  },
});

function saved(onSave: () => void): () => boolean {
  return () => {
    onSave();
    return true;
  };
}

function markdownExtensions(notebookId: string): Extension {
  return [
    markdown({ base: markdownLanguage, codeLanguages: languages, completeHTMLTags: false }),
    autocompletion({ override: [noteCompletion(notebookId)], icons: false }),
    EditorView.domEventHandlers({
      // A click on a task's checkbox toggles it.
      mousedown(event, view) {
        const at = event.button === 0 ? view.posAtCoords({ x: event.clientX, y: event.clientY }) : null;
        const change = at === null || view.state.readOnly ? undefined : toggleTaskAt(view.state, at);
        if (change === undefined) return false;
        view.dispatch(change);
        event.preventDefault();
        return true;
      },
    }),
  ];
}

/** Loads the language that matches the file name. */
function languageOf(filename: string): Extension {
  const place = new Compartment();
  const description = LanguageDescription.matchFilename(languages, filename);
  if (description === null) return [];
  const loader = ViewPlugin.define((view) => {
    void description.load().then((support) => view.dispatch({ effects: place.reconfigure(support) }));
    return {};
  });
  return [place.of([]), loader];
}
