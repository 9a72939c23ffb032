import { isAlive, LogThrottle } from '@holdfast/base';

import { failureOf } from '../model/failure.ts';
import { timeText } from '../model/time.ts';
import { findNotebook } from '../store/notebooks.ts';
import type { Tx } from '../store/open.ts';
import { allProblems, dropProblem, dropProblemsOf, type ProblemRow, putProblem } from '../store/problems.ts';
import type { Codex } from './codex.ts';

export type ProblemSource = 'queue' | 'notes' | 'watching' | 'git';

/** Where something went wrong: in which part of the work, and for which notebook if it is about one. */
export interface ProblemPlace {
  readonly part: ProblemSource | 'housekeeping';
  readonly notebook?: string;
}

export type ProblemListener = (error: unknown, place: ProblemPlace) => void;

/** These have no place of their own in what is said about a notebook. */
const SAID_HERE: readonly ProblemSource[] = ['queue', 'notes'];

/**
 * What went wrong with a notebook last and is not the fault of an operation, until it works again. Each is told once;
 * when it changes or comes back it is told again, but never the same twice in a minute. A process that works on queues
 * also keeps them in the database, where commands find them.
 */
export class Problems {
  readonly #codex: Codex;
  readonly #listener: ProblemListener;
  readonly #told = new LogThrottle();
  readonly #texts = new Map<number, Map<ProblemSource, string>>();
  #isKept = false;

  constructor(codex: Codex, listener: ProblemListener = () => undefined) {
    this.#codex = codex;
    this.#listener = listener;
  }

  /** From now on others can ask for them. */
  start(): void {
    this.#isKept = true;
    const left = allProblems(this.#codex.store.reader).filter((row) => !isOfLiving(row));
    if (left.length > 0) this.#keep((tx) => left.forEach(({ owner }) => dropProblemsOf(tx, owner)));
  }

  async close(): Promise<void> {
    const hasAny = [...this.#texts.values()].some(({ size }) => size > 0);
    if (!this.#isKept || !hasAny) return;
    this.#isKept = false;
    const { store, owner } = this.#codex;
    await store.derive((tx) => dropProblemsOf(tx, owner)).catch(() => undefined);
  }

  note(notebookId: number, source: ProblemSource, error: unknown): void {
    const texts = this.#texts.get(notebookId) ?? new Map<ProblemSource, string>();
    const { code, message } = failureOf(error);
    if (texts.get(source) === message) return;
    this.#texts.set(notebookId, texts.set(source, message));
    this.tell(error, { part: source, notebook: this.#nameOf(notebookId) });
    const since = timeText(this.#codex.clock());
    this.#keep((tx) => putProblem(tx, this.#codex, { notebook_id: notebookId, source, code, message, since }));
  }

  /** What this part of the work ran into is over. */
  clear(notebookId: number, source: ProblemSource): void {
    if (this.#texts.get(notebookId)?.delete(source) !== true) return;
    this.#keep((tx) => dropProblem(tx, this.#codex.owner, notebookId, source));
  }

  /** About no notebook, or about one that is not worked on any more. */
  tell(error: unknown, place: ProblemPlace): void {
    const { part, notebook = '' } = place;
    if (this.#told.allows(`${part} ${notebook} ${failureOf(error).message}`)) this.#listener(error, place);
  }

  /** For people. */
  get(notebookId: number): string | undefined {
    const texts = this.#texts.get(notebookId);
    return SAID_HERE.map((source) => texts?.get(source)).find((text) => text !== undefined);
  }

  #nameOf(notebookId: number): string {
    try {
      return findNotebook(this.#codex.store.reader, notebookId)?.name ?? String(notebookId);
    } catch {
      // The store may be what the problem is.
      return String(notebookId);
    }
  }

  /** Not worth a line in the journal. Where the store itself is the problem, the listener has been told of it. */
  #keep(change: (tx: Tx) => void): void {
    if (this.#isKept) void this.#codex.store.derive(change).catch(() => undefined);
  }
}

/** What the processes that run know of, in whichever of them. */
export function knownProblems(tx: Tx): readonly ProblemRow[] {
  return allProblems(tx).filter(isOfLiving);
}

function isOfLiving({ pid, pid_start: start, boot_id: boot }: ProblemRow): boolean {
  return isAlive({ pid, start, boot });
}
