import type { Text } from '@codemirror/state';
import { SerialQueue } from '@holdfast/base/limiter';

import { randomKey } from '../../../../lib/random-key.ts';
import { readStored, removeStored, storedKeys, writeStored } from '../../../../lib/storage.ts';
import { parseText, type TextFile, writeText } from '../text-file.ts';
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

/** Stores the drafts of one note in one tab. Delays writes, because texts may be long. */
export class DraftSaver {
  readonly #id: { readonly note: string; readonly tab: string };
  readonly #onChange: () => void;
  readonly #release: () => void;
  /** Runs one write at a time, so that an old text never overwrites a new one. */
  readonly #queue = new SerialQueue();
  #kept: Text | undefined;
  #mayExist = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

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
      await this.#queue.run(() => putDraft(this.#draftOf(unsaved)));
    } catch {
      // If `localStorage` fails too, the page warns before it is closed.
      isKept = this.putInHurry(unsaved);
    }
    // During the write, the text may have been saved and the draft deleted.
    if (isKept && this.#mayExist) this.#kept = doc;
    this.#onChange();
  }

  putInHurry(unsaved: Unsaved): boolean {
    this.#mayExist = true;
    return putDraftNow(this.#draftOf(unsaved));
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#mayExist) return;
    this.#mayExist = false;
    this.#kept = undefined;
    void this.#queue.run(() => removeDraft(this.#id)).catch(() => undefined);
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
}

/**
 * Unsaved text in the browser, with the version that it is based on. Each note and tab has its own draft, so that tabs
 * do not overwrite each other. A tab holds a lock while it is open; a draft without a lock is from a closed tab.
 */
interface Draft {
  readonly note: string;
  readonly tab: string;
  readonly text: string;
  readonly baseText: string;
  readonly baseHash: string;
  readonly at: number;
}

const DATABASE = 'holdfast-drafts';
const STORE = 'drafts';
const PREFIX = 'holdfast.draft.';

function idOf({ note, tab }: Pick<Draft, 'note' | 'tab'>): string {
  return `${note}|${tab}`;
}

async function putDraft(draft: Draft): Promise<void> {
  const database = await open();
  await done(
    database.transaction(STORE, 'readwrite', { durability: 'strict' }).objectStore(STORE).put(draft, idOf(draft)),
  );
}

/** Stores a draft synchronously while the page unloads. Returns false if the browser did not store it. */
function putDraftNow(draft: Draft): boolean {
  return writeStored(PREFIX + idOf(draft), JSON.stringify(draft));
}

async function removeDraft(draft: Pick<Draft, 'note' | 'tab'>): Promise<void> {
  removeStored(PREFIX + idOf(draft));
  const database = await open();
  await done(database.transaction(STORE, 'readwrite').objectStore(STORE).delete(idOf(draft)));
}

async function leftDrafts(note: string): Promise<readonly Draft[]> {
  const held = new Set((await locks()?.query())?.held?.map(({ name }) => name));
  const found = new Map<string, Draft>();
  for (const draft of [...(await storedDrafts(note)), ...hurriedDrafts(note)]) {
    const other = found.get(draft.tab);
    if (other === undefined || other.at <= draft.at) found.set(draft.tab, draft);
  }
  return [...found.values()].filter((draft) => !held.has(lockName(draft))).sort((left, right) => left.at - right.at);
}

function holdDraft(draft: Pick<Draft, 'note' | 'tab'>): () => void {
  const released = new AbortController();
  const untilReleased = new Promise<void>((resolve) => {
    released.signal.addEventListener('abort', () => resolve());
  });
  void locks()?.request(lockName(draft), () => untilReleased);
  return () => released.abort();
}

function lockName(draft: Pick<Draft, 'note' | 'tab'>): string {
  return `${DATABASE} ${idOf(draft)}`;
}

function locks(): LockManager | undefined {
  return (navigator as { readonly locks?: LockManager }).locks;
}

async function storedDrafts(note: string): Promise<readonly Draft[]> {
  try {
    const database = await open();
    const range = IDBKeyRange.bound(`${note}|`, `${note}|\uffff`);
    return (await done(database.transaction(STORE).objectStore(STORE).getAll(range))) as readonly Draft[];
  } catch {
    return [];
  }
}

function hurriedDrafts(note: string): readonly Draft[] {
  try {
    return storedKeys(`${PREFIX}${note}|`).map((name) => JSON.parse(readStored(name) ?? '') as Draft);
  } catch {
    return [];
  }
}

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The browser cannot store drafts')));
  });
  opened.catch(() => (opened = undefined));
  return opened;
}

function done<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.transaction?.addEventListener('complete', () => resolve(request.result));
    request.transaction?.addEventListener('abort', () => reject(request.transaction?.error ?? new Error('aborted')));
  });
}
