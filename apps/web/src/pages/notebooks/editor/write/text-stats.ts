import type { EditorState, Text } from '@codemirror/state';

import { createStore, type Store } from '../../../../lib/store.ts';

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

/** Cursor position, updated at once, and word count, updated with a delay. */
export class TextStatsStore {
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
