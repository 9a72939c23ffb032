import {
  autocompletion,
  type CompletionContext,
  completionKeymap,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { HighlightStyle, indentOnInput, LanguageDescription, syntaxHighlighting } from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import { diff } from '@codemirror/merge';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import {
  Annotation,
  type ChangeSpec,
  Compartment,
  EditorState,
  type Extension,
  RangeSetBuilder,
  type Text,
  Transaction,
} from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { classHighlighter, tags } from '@lezer/highlight';

import { markdownKeys, toggleTaskAt } from './markdown-commands.ts';

interface EditorOptions {
  readonly notebookId: string;
  readonly filename: string;
  readonly isMarkdown: boolean;
  readonly isReadOnly: boolean;
  readonly onTyped: (text: Text) => void;
  readonly onSave: () => void;
  readonly onMoved: (state: EditorState) => void;
}

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

/** Sets the direction of each line (left to right or right to left) according to its text. */
const lineDirection: Extension = [
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

/** Uses the page's colours, so that the editor works in both themes. */
const editorTheme = EditorView.theme({
  '&': { height: '100%', fontSize: '14px', color: 'var(--text)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--note-font)', lineHeight: '1.65', overflow: 'auto' },
  '.cm-content': { padding: '16px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 20px' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--note-selection)',
  },
  '.cm-activeLine': { backgroundColor: 'var(--note-line)' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: '8px 32px 8px 12px', fontSize: '13px' },
  '.cm-panel.cm-search label': { fontSize: '13px' },
  '.cm-panel.cm-search [name=close]': { top: '6px', right: '8px', fontSize: '18px', color: 'var(--muted)' },
  '.cm-textfield': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    padding: '4px 8px',
    fontSize: '13px',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    padding: '4px 10px',
    fontSize: '13px',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--accent-soft)', outline: '2px solid var(--accent)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--accent-soft)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 10px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--accent-soft)',
    color: 'var(--accent-strong)',
  },
  '.cm-completionDetail': { color: 'var(--muted)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
});

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

/** Tab indents. After Escape, Tab leaves the editor for a minute, or until another key is pressed. */
const leaving = EditorView.domEventHandlers({
  keydown(event, view) {
    // Runs after all other handlers for the key, because the editor's own handler allows Tab for only two seconds.
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
    markdown({ base: markdownLanguage, codeLanguages: languages, completeHTMLTags: false, addKeymap: false }),
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

interface LinkName {
  readonly path: string;
  readonly title: string | null;
}

const LIMIT = 20;

/** Completes note names after `[[`. Failures do not interrupt typing. */
function noteCompletion(notebookId: string): (context: CompletionContext) => Promise<CompletionResult | null> {
  return async (context) => {
    const typed = context.matchBefore(/\[\[[^\][|#\n]*/u);
    if (typed === null) return null;
    const names = await linkNames(notebookId, typed.text.slice(2), context);
    if (names.length === 0) return null;
    const from = typed.from + 2;
    return {
      from,
      filter: false,
      options: names.slice(0, LIMIT).map(({ path, title }) => {
        const name = path.replace(/\.(?:md|markdown)$/iu, '');
        return {
          label: name,
          ...(title === null ? {} : { detail: title }),
          apply(view, _completion, start, end) {
            const isClosed = view.state.sliceDoc(end, end + 2) === ']]';
            const insert = isClosed ? name : `${name}]]`;
            const after = start + name.length + 2;
            view.dispatch({ changes: { from: start, to: end, insert }, selection: { anchor: after } });
          },
        };
      }),
    };
  };
}

async function linkNames(notebookId: string, text: string, context: CompletionContext): Promise<readonly LinkName[]> {
  const stop = new AbortController();
  context.addEventListener('abort', () => stop.abort(), { onDocChange: true });
  try {
    const query = new URLSearchParams({ query: text });
    const url = `/api/codex/notebooks/${encodeURIComponent(notebookId)}/link-names?${query.toString()}`;
    const response = await fetch(url, { signal: stop.signal });
    if (!response.ok) return [];
    const body = (await response.json()) as { readonly data?: readonly LinkName[] } | readonly LinkName[];
    return Array.isArray(body) ? body : ((body as { readonly data?: readonly LinkName[] }).data ?? []);
  } catch {
    return [];
  }
}

const isFromOutside = Annotation.define<boolean>();

/** Limits the time of a diff; beyond this limit, the result is less precise. */
const SCAN_LIMIT = 1_000;

/** Returns only the differences, so that the cursor, selection, scroll position and undo history are kept. */
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

interface Rules {
  getRules(): string;
}

interface Mounting {
  mount(root: Document | ShadowRoot, modules: Rules | readonly Rules[]): void;
}

/**
 * The editor adds its styles as a `<style>` element, which our content security policy blocks. The policy allows
 * constructed style sheets. So this function patches the private class that mounts styles; it finds the class through
 * an instance.
 */
export function adoptEditorStyles(): void {
  const sample = HighlightStyle.define([{ tag: tags.strong, fontWeight: 'bold' }]).module;
  const styles = sample?.constructor as Mounting | undefined;
  if (styles === undefined) throw new Error('The class that mounts the editor styles was not found');
  const sheet = new CSSStyleSheet();
  let mounted: readonly Rules[] = [];
  styles.mount = (root, modules) => {
    const wanted = [modules].flat() as readonly Rules[];
    const next = [...mounted.filter((each) => !wanted.includes(each)), ...wanted];
    if (next.length > mounted.length) sheet.replaceSync(next.map((each) => each.getRules()).join('\n'));
    mounted = next;
    if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
  };
}
