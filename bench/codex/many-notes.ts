import { Random } from '../../packages/sqlite/test/random.ts';
import { factsOf, indexedAs, type NoteChange } from '../../apps/codex/src/model/note/facts.ts';
import { notebookPath } from '../../apps/codex/src/model/path.ts';
import { putFile } from '../../apps/codex/src/store/files.ts';
import { putFolders } from '../../apps/codex/src/store/folders.ts';
import type { Store, Transaction } from '../../apps/codex/src/store/open.ts';

const WORDS = 20_000;
const WORDS_IN_NOTE = 120;
const SYLLABLES = [
  'ba',
  'de',
  'fi',
  'go',
  'ku',
  'la',
  'me',
  'ni',
  'po',
  'ru',
  'sa',
  'te',
  'vi',
  'wo',
  'zu',
  'ça',
  'ö',
  'tri',
  'sta',
  'min',
];
const AT_ONCE = 1_000;

/** Words with the frequencies of a language: the n-th is about n times rarer than the first. */
export class Vocabulary {
  readonly #random: Random;
  readonly #words: readonly string[];

  constructor(seed: number) {
    this.#random = new Random(seed);
    const word = (): string =>
      Array.from({ length: 2 + this.#random.below(3) }, () => this.#random.of(SYLLABLES)).join('');
    this.#words = Array.from({ length: WORDS }, word);
  }

  word(): string {
    return this.#words[Math.floor(WORDS ** this.#random.next()) - 1] ?? '';
  }

  /** About a kilobyte by default, with properties, a heading, tags and links. */
  note(n: number, length = WORDS_IN_NOTE): string {
    const words = Array.from({ length }, () => this.word());
    const head = `---\ntitle: ${this.word()} ${n}\ntags: [${this.word()}, t${n % 50}]\nstatus: ${n % 3 === 0 ? 'open' : 'done'}\n---\n`;
    return `${head}# ${this.word()} ${this.word()}\n\n${words.join(' ')}\n\nSee [[${this.word()}]] and #${this.word()}.\n`;
  }
}

function notePlace(n: number): string {
  return `f${n % 100}/s${Math.floor(n / 100) % 10}/note ${n}.md`;
}

export function noteChange(n: number, text: string): Extract<NoteChange, { kind: 'content' }> {
  const path = notebookPath(notePlace(n));
  return {
    kind: 'content',
    fileId: `id-${n}`,
    hash: `hash-${n}`,
    eventId: n,
    ...indexedAs(path, factsOf(path, Buffer.from(text))),
  };
}

/** Creates files with their metadata in the database only. */
export async function fillFiles(
  store: Store,
  notebookId: number,
  count: number,
  also: (tx: Transaction, n: number) => void,
): Promise<void> {
  for (let start = 0; start < count; start += AT_ONCE) {
    await store.derive((tx) => {
      for (let n = start; n < Math.min(start + AT_ONCE, count); n++) putOne(tx, notebookId, n, also);
    });
  }
}

function putOne(tx: Transaction, notebookId: number, n: number, also: (tx: Transaction, n: number) => void): void {
  const path = notebookPath(notePlace(n));
  const now = new Date(1_700_000_000_000 + n).toISOString();
  const state = { kind: 'file', size: 1_000, mode: 0o644, mtime_ns: '1', ctime_ns: '1', inode: String(n) } as const;
  const file = {
    id: `id-${n}`,
    notebookId,
    path,
    hash: `hash-${n}`,
    state,
    contentType: 'text/markdown',
    eventId: n,
    now,
  };
  if (n < 1_000)
    putFolders(
      tx,
      notebookId,
      notebookPath(path.slice(0, path.lastIndexOf('/'))),
      now,
      () => `folder-${n}-${Math.random()}`,
    );
  putFile(tx, { ...file, git: { tracked: true, reason: null } });
  also(tx, n);
}
