import type { Text } from '@codemirror/state';

import { reportSignedOut } from '../../../../api/query-client.ts';
import type { CodexEvent } from '../../../../api/types.ts';
import { statusOf } from '../../../../lib/error-reason.ts';
import { randomKey } from '../../../../lib/random-key.ts';
import { createStore, type Store } from '../../../../lib/store.ts';
import { mergeTexts, sameText, type TextFile } from '../text-file.ts';
import { DraftSaver } from './drafts.ts';
import { isTemporary, isUnsure, type NoteServer, type ReadNote } from './note-server.ts';
import {
  begin,
  initialState,
  type Input,
  isDirty,
  nextAction,
  sameStatus,
  type SaveState,
  type SaveStatus,
  saveStatusOf,
  type Sending,
  step,
  type Version,
} from './save-machine.ts';

const rules = { same: sameText, merge: mergeTexts };

interface SessionOptions {
  readonly server: NoteServer;
  /** `notebook/file`, the key of the note's drafts. */
  readonly note: string;
  readonly fileId: string;
  readonly path: () => string;
  readonly opened: ReadNote;
  readonly show: (text: Text) => void;
}

/** Carries out the actions of the save machine while the note is open or has unsaved text. */
export class NoteSession {
  readonly status: Store<SaveStatus> = createStore<SaveStatus>({ kind: 'unchanged', sha: null });
  readonly #options: SessionOptions;
  readonly #key = randomKey();
  readonly #drafts: DraftSaver;
  #state: SaveState<Text>;
  #lineEnd: TextFile['lineEnd'];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #commits = new Map<number, string>();
  #sha: string | null = null;
  #isClosed = false;

  constructor(options: SessionOptions) {
    const { opened, note } = options;
    this.#options = options;
    this.#state = initialState<Text>({ text: opened.text, hash: opened.hash });
    this.#lineEnd = opened.lineEnd;
    this.#drafts = new DraftSaver(note, () => this.#report());
  }

  get text(): Text {
    return this.#state.text;
  }

  get conflict(): Version<Text> | undefined {
    return this.#state.conflict;
  }

  /** Restores drafts that closed tabs could not save. Returns whether there were any. */
  async adopt(): Promise<boolean> {
    let count = 0;
    for (const left of await this.#drafts.left()) {
      const { base, text } = left;
      if (count === 0 && !this.#isDirty()) {
        const { base: current } = this.#state;
        this.#state = step(initialState<Text>(base), { type: 'typed', text, at: Date.now() }, rules);
        if (current.hash !== base.hash) this.#step({ type: 'read', version: current, at: Date.now() });
      } else {
        const merged = mergeTexts(base.text, text, this.#state.text);
        if (merged === undefined) continue;
        this.#step({ type: 'typed', text: merged, at: Date.now() });
      }
      count += this.#isDirty() || this.#state.conflict !== undefined ? 1 : 0;
      await this.#drafts.putNow(this.#draft());
      await left.remove();
    }
    this.#options.show(this.#state.text);
    this.#go();
    return count > 0;
  }

  typed(text: Text): void {
    this.#step({ type: 'typed', text, at: Date.now() });
    this.#go();
  }

  saveNow(): void {
    this.#give({ type: 'save-now', at: Date.now() });
  }

  committedAs(sha: string | null): void {
    if (this.#state.saved === undefined) this.#sha = sha;
    this.#report();
  }

  gap(): void {
    this.#give({ type: 'told', hash: undefined, at: Date.now() });
    const eventId = this.#state.saved?.eventId ?? null;
    if (eventId !== null && this.#sha === null) {
      void this.#options.server.event(eventId).then(
        (event) => this.told([event]),
        () => undefined,
      );
    }
  }

  told(events: readonly CodexEvent[]): void {
    for (const event of events) {
      if (event.commit_sha !== null) this.#commits.set(event.id, event.commit_sha);
      const hash = event.result?.['hash'];
      if (event.status === 'completed' && this.#isAbout(event)) {
        this.#give({ type: 'told', hash: typeof hash === 'string' ? hash : undefined, at: Date.now() });
      }
    }
    this.#report();
  }

  /** Also compares the path, because an event about a missing file has no file id. */
  #isAbout({ file_id, path, result }: CodexEvent): boolean {
    const { fileId, path: ours } = this.#options;
    return file_id === fileId || result?.['file_id'] === fileId || path === ours();
  }

  /** Keeps one version. The other version is committed first, so that it stays in the history. */
  async decide(choice: 'mine' | 'theirs'): Promise<void> {
    const { conflict, text: mine } = this.#state;
    if (conflict === undefined) return;
    this.#give({ type: 'decided', text: mine, at: Date.now() });
    if (choice === 'mine') return;
    // Commit our version first, then write theirs on top of it.
    await this.#savedAndCommitted();
    const back = mergeTexts(mine, conflict.text, this.#state.text);
    if (back === undefined) return;
    this.#step({ type: 'typed', text: back, at: Date.now() });
    this.#options.show(back);
    this.saveNow();
  }

  isSafe(): boolean {
    if (!this.#isUnsaved() || this.#drafts.has(this.#state.text)) return true;
    return this.#drafts.putInHurry(this.#draft());
  }

  /** Sends unsaved text. The browser stores a draft until the text is saved. */
  close(): void {
    this.#isClosed = true;
    if (this.#isUnsaved()) this.isSafe();
    this.saveNow();
    this.#endWhenDone();
  }

  async #savedAndCommitted(): Promise<void> {
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (this.#isUnsaved()) return;
        forget();
        resolve();
      };
      const forget = this.status.subscribe(check);
      check();
    });
    await this.#options.server.commit();
  }

  #isDirty(): boolean {
    return isDirty(this.#state, rules);
  }

  #isUnsaved(): boolean {
    return this.#isDirty() || this.#state.sending !== undefined;
  }

  #draft(): { readonly file: TextFile; readonly base: Version<Text> } {
    return { file: { doc: this.#state.text, lineEnd: this.#lineEnd }, base: this.#state.base };
  }

  #give(input: Input<Text>): void {
    const before = this.#state.text;
    this.#step(input);
    if (!this.#isClosed && !sameText(before, this.#state.text)) this.#options.show(this.#state.text);
    this.#go();
  }

  #step(input: Input<Text>): void {
    this.#state = step(this.#state, input, rules);
  }

  #go(): void {
    clearTimeout(this.#timer);
    const action = nextAction(this.#state, Date.now(), rules);
    const isAgain = this.#state.sending !== undefined;
    this.#state = begin(this.#state, action);
    if (action.type === 'wait') this.#timer = setTimeout(() => this.#go(), action.until - Date.now());
    if (action.type === 'send') void this.#send(action.sending, isAgain);
    if (action.type === 'read') void this.#read();
    if (this.#isUnsaved()) this.#drafts.keep(() => this.#draft());
    else this.#drafts.clear();
    this.#report();
    this.#endWhenDone();
  }

  #report(): void {
    const { saved } = this.#state;
    const commit =
      saved?.eventId === undefined || saved.eventId === null ? undefined : this.#commits.get(saved.eventId);
    const sha = saved === undefined ? this.#sha : (commit ?? null);
    this.#sha = sha;
    const next = saveStatusOf(this.#state, rules, this.#drafts.has(this.#state.text), sha);
    if (!sameStatus(this.status.get(), next)) this.status.set(next);
  }

  async #send({ text, baseHash, number, isOnForeign }: Sending<Text>, isAgain: boolean): Promise<void> {
    const { server } = this.#options;
    try {
      // If the commit fails, for example because the repository is busy, the text is still saved.
      if (isOnForeign) await server.commit().catch(() => undefined);
      const file = { doc: text, lineEnd: this.#lineEnd };
      const { hash, eventId } = await server.write(file, baseHash, `${this.#key}-${number}`, isAgain);
      this.#give({ type: 'saved', hash, eventId, at: Date.now() });
    } catch (error) {
      this.#failed(error, isUnsure(error));
    }
  }

  async #read(): Promise<void> {
    const { base, conflict } = this.#state;
    try {
      const found = await this.#options.server.read(conflict?.hash ?? base.hash);
      if (found === 'binary') this.#give({ type: 'gone', at: Date.now() });
      else {
        if (found !== 'current') this.#lineEnd = found.lineEnd;
        const version = found === 'current' ? (conflict ?? base) : found;
        this.#give({ type: 'read', version, at: Date.now() });
      }
    } catch (error) {
      this.#failed(error, false);
    }
  }

  #failed(error: unknown, isUnsureNow: boolean): void {
    const at = Date.now();
    const status = statusOf(error);
    if (status === 401) reportSignedOut();
    if (status === 412) this.#give({ type: 'refused', at });
    else if (status === 404) this.#give({ type: 'gone', at });
    else {
      const failure = { error, isTemporary: isTemporary(error) || status === 401 };
      this.#give({ type: 'failed', failure, isUnsure: isUnsureNow, at });
    }
  }

  #endWhenDone(): void {
    if (!this.#isClosed) return;
    const { phase, failure, conflict } = this.#state;
    if (phase === 'idle' && (failure !== undefined || conflict !== undefined || !this.#isUnsaved())) {
      clearTimeout(this.#timer);
      this.#drafts.close();
    }
  }
}
