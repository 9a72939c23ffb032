import { ensureSyntaxTree } from '@codemirror/language';
import { Compartment, EditorState, type StateCommand, type Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

import type { NoteFile } from '../../../api/types.ts';
import { createStore, type Store } from '../../../lib/store.ts';
import { boxesOf } from './preview/preview-pane.ts';
import { noteServer, type ReadNote } from './save/note-server.ts';
import { NoteSession } from './save/note-session.ts';
import { adoptEditorStyles, noteExtensions, showText } from './write/extensions.ts';
import { livePreview } from './write/live-preview.ts';
import { toggleMarker } from './write/markdown-commands.ts';
import { insertFiles, uploading } from './write/uploads.ts';

adoptEditorStyles();

interface ControllerOptions {
  readonly notebookId: string;
  readonly file: NoteFile;
  readonly path: () => string;
  readonly opened: ReadNote;
  readonly isReadOnly: boolean;
}

const PARSE_MS = 1_000;

export function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/iu.test(path);
}

/** Connects an open note to its editor and its save session. React components only show its state. */
export class NoteController {
  readonly session: NoteSession;
  readonly view: EditorView;
  readonly figures: TextStatsStore;
  readonly #options: ControllerOptions;
  readonly #listeners = new Set<(text: Text) => void>();
  readonly #live = new Compartment();

  constructor(options: ControllerOptions) {
    const { notebookId, file, opened, path, isReadOnly } = options;
    this.#options = options;
    this.figures = new TextStatsStore(opened.text);
    this.session = new NoteSession({
      server: noteServer(notebookId, file.id),
      note: `${notebookId}/${file.id}`,
      fileId: file.id,
      path,
      opened,
      show: (text) => showText(this.view, text),
    });
    this.view = new EditorView({
      state: EditorState.create({
        doc: opened.text,
        extensions: [
          ...noteExtensions({
            notebookId,
            filename: file.filename,
            isMarkdown: isMarkdown(file.path),
            isReadOnly,
            onTyped: (text) => this.session.typed(text),
            onSave: () => this.session.saveNow(),
            onMoved: (state) => this.figures.update(state),
          }),
          this.#live.of([]),
          isMarkdown(file.path) ? uploading({ notebookId, notePath: path }) : [],
          EditorView.updateListener.of(({ docChanged, state }) => docChanged && this.#tell(state.doc)),
        ],
      }),
    });
  }

  get text(): Text {
    return this.view.state.doc;
  }

  /** Calls `listener` on each change; returns an unsubscribe function. */
  onText(listener: (text: Text) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  replaceText(text: Text): void {
    showText(this.view, text);
    this.session.typed(text);
  }

  /** Turns the live preview on or off. The live preview shows formatted text in the editor itself. */
  setLive(isLive: boolean): void {
    this.view.dispatch({ effects: this.#live.reconfigure(isLive ? livePreview : []) });
  }

  /** Moves the cursor to a line and shows it at the top. */
  goToLine(number: number): void {
    const { doc } = this.view.state;
    const { from } = doc.line(Math.min(number, doc.lines));
    this.view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'start' }) });
    this.view.focus();
  }

  run(command: StateCommand): void {
    command(this.view);
    this.view.focus();
  }

  attach(files: readonly File[]): void {
    const { notebookId, path } = this.#options;
    insertFiles(this.view, files, this.view.state.selection.main.to, { notebookId, notePath: path });
  }

  /** Toggles the task whose checkbox was clicked in the preview. Returns false if the task cannot be identified. */
  toggleTask(box: HTMLInputElement, preview: ParentNode): boolean {
    const { state } = this.view;
    const boxes = boxesOf(preview);
    const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS);
    const markers: number[] = [];
    tree?.iterate({ enter: ({ name, from }) => void (name === 'TaskMarker' && markers.push(from)) });
    const from = markers[boxes.indexOf(box)];
    if (state.readOnly || from === undefined || markers.length !== boxes.length) return false;
    this.view.dispatch(toggleMarker(state, from));
    return true;
  }

  destroy(): void {
    this.session.close();
    this.figures.stop();
    this.view.destroy();
  }

  #tell(text: Text): void {
    for (const listener of this.#listeners) listener(text);
  }
}

interface TextStats {
  readonly line: number;
  readonly column: number;
  readonly words: number;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu;

function countWords(text: Text): number {
  let words = 0;
  for (const cursor = text.iter(); !cursor.next().done;) words += cursor.value.match(WORD)?.length ?? 0;
  return words;
}

const LONG = 100_000;

/** The cursor position, updated immediately, and the word count, updated with a delay. */
class TextStatsStore {
  readonly store: Store<TextStats>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(text: Text) {
    this.store = createStore({ line: 1, column: 1, words: countWords(text) });
  }

  update({ doc, selection }: EditorState): void {
    const { head } = selection.main;
    const { number, from } = doc.lineAt(head);
    const { words, line, column } = this.store.get();
    if (line !== number || column !== head - from + 1) {
      this.store.set({ line: number, column: head - from + 1, words });
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => this.store.set({ ...this.store.get(), words: countWords(doc) }),
      doc.length > LONG ? 2_000 : 300,
    );
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
