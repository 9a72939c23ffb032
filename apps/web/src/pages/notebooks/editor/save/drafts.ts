import { readStored, removeStored, storedKeys, writeStored } from '../../../../lib/storage.ts';

/**
 * Unsaved text in the browser, with the version it is based on: per note and tab, so that tabs do not overwrite each
 * other. A tab holds a lock while it is open; a draft without a lock holder was left behind.
 */
export interface Draft {
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

export async function putDraft(draft: Draft): Promise<void> {
  const database = await open();
  await done(
    database.transaction(STORE, 'readwrite', { durability: 'strict' }).objectStore(STORE).put(draft, idOf(draft)),
  );
}

/** Stores a draft synchronously while the page unloads. Returns false when the browser does not store it. */
export function putDraftNow(draft: Draft): boolean {
  return writeStored(PREFIX + idOf(draft), JSON.stringify(draft));
}

export async function removeDraft(draft: Pick<Draft, 'note' | 'tab'>): Promise<void> {
  removeStored(PREFIX + idOf(draft));
  const database = await open();
  await done(database.transaction(STORE, 'readwrite').objectStore(STORE).delete(idOf(draft)));
}

/** Drafts of a note that closed tabs have left, oldest first. */
export async function leftDrafts(note: string): Promise<readonly Draft[]> {
  const held = new Set((await locks()?.query())?.held?.map(({ name }) => name));
  const found = new Map<string, Draft>();
  for (const draft of [...(await storedDrafts(note)), ...hurriedDrafts(note)]) {
    const other = found.get(draft.tab);
    if (other === undefined || other.at <= draft.at) found.set(draft.tab, draft);
  }
  return [...found.values()].filter((draft) => !held.has(lockName(draft))).sort((left, right) => left.at - right.at);
}

/** Holds the lock of a draft; returns a release function. */
export function holdDraft(draft: Pick<Draft, 'note' | 'tab'>): () => void {
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
