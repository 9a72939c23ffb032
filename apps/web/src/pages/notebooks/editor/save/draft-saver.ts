import type { Text } from '@codemirror/state';

import { randomKey } from '../../../../lib/random-key.ts';
import { parseText, type TextFile, writeText } from '../text/text-file.ts';
import { type Draft, holdDraft, leftDrafts, putDraft, putDraftNow, removeDraft } from './drafts.ts';
import type { Version } from './save-machine.ts';

const KEEP_AFTER_MS = 300;

interface Unsaved {
  readonly file: TextFile;
  readonly base: Version<Text>;
}

interface LeftDraft {
  readonly text: Text;
  readonly base: Version<Text>;
  readonly remove: () => Promise<void>;
}

/** Drafts of one note in one tab. Debounced, because texts may be long. */
export class DraftSaver {
  readonly #id: { readonly note: string; readonly tab: string };
  readonly #onChange: () => void;
  readonly #release: () => void;
  #kept: Text | undefined;
  /** Whether a draft was or is being written. */
  #mayExist = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(note: string, onChange: () => void) {
    this.#id = { note, tab: randomKey() };
    this.#onChange = onChange;
    this.#release = holdDraft(this.#id);
  }

  has(text: Text): boolean {
    return this.#kept !== undefined && this.#kept.eq(text);
  }

  keep(unsaved: () => Unsaved): void {
    this.#timer ??= setTimeout(() => void this.putNow(unsaved()), KEEP_AFTER_MS);
  }

  async putNow(unsaved: Unsaved): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { doc } = unsaved.file;
    if (this.has(doc)) return;
    this.#mayExist = true;
    let isKept = true;
    try {
      await this.#inTurn(() => putDraft(this.#draftOf(unsaved)));
    } catch {
      // Without storage the page warns before it is closed.
      isKept = this.putInHurry(unsaved);
    }
    // The text may have been saved meanwhile, and the draft removed.
    if (isKept && this.#mayExist) this.#kept = doc;
    this.#onChange();
  }

  putInHurry(unsaved: Unsaved): boolean {
    this.#mayExist = true;
    return putDraftNow(this.#draftOf(unsaved));
  }

  /** Everything is saved on the server. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#mayExist) return;
    this.#mayExist = false;
    this.#kept = undefined;
    void this.#inTurn(() => removeDraft(this.#id)).catch(() => undefined);
  }

  close(): void {
    this.#release();
  }

  async left(): Promise<readonly LeftDraft[]> {
    const drafts = await leftDrafts(this.#id.note);
    return drafts.flatMap((draft) => {
      const text = parseText(draft.text)?.doc;
      const base = parseText(draft.baseText)?.doc;
      if (text === undefined || base === undefined) return [];
      return [{ text, base: { text: base, hash: draft.baseHash }, remove: () => removeDraft(draft) }];
    });
  }

  #draftOf({ file, base }: Unsaved): Draft {
    const baseText = writeText({ doc: base.text, lineEnd: file.lineEnd });
    return { ...this.#id, text: writeText(file), baseText, baseHash: base.hash, at: Date.now() };
  }

  /** One at a time, so that an old text never overwrites a new one. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const next = this.#last.then(work, work);
    this.#last = next.catch(() => undefined);
    return next;
  }
}
