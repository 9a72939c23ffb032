import { isAlive, LogThrottle, toTimestamp } from '@holdfast/base';

import { failureOf, type ProblemReporter, type ProblemSource } from '../model/failure.ts';
import {
  allProblems,
  dropProblem,
  dropProblemsOf,
  findNotebook,
  type ProblemRow,
  putProblem,
} from '../store/notebooks.ts';
import type { Transaction } from '../store/open.ts';
import type { CodexContext } from './context.ts';

type ProblemContext = Pick<CodexContext, 'store' | 'clock' | 'owner' | 'process'>;

/** The part of the work that failed, and the notebook if the failure concerns one. */
export interface ProblemOrigin {
  readonly part: ProblemSource | 'maintenance';
  readonly notebook?: string;
}

export type ProblemListener = (error: unknown, origin: ProblemOrigin) => void;

/** Sources whose problems `get` returns. Problems from other sources have their own fields in a notebook's status. */
const SHOWN_IN_STATUS: readonly ProblemSource[] = ['queue', 'notes'];

/**
 * The current problem of each part of each notebook. Failures of single operations are not included. The listener is
 * called when a problem appears, changes or reappears, but at most once a minute for the same problem. A process that
 * works on queues also stores its problems, so that commands can show them.
 */
export class Problems implements ProblemReporter {
  readonly #codex: ProblemContext;
  readonly #listener: ProblemListener;
  readonly #told = new LogThrottle();
  readonly #texts = new Map<number, Map<ProblemSource, string>>();
  #isKept = false;

  constructor(codex: ProblemContext, listener: ProblemListener = () => undefined) {
    this.#codex = codex;
    this.#listener = listener;
  }

  /** Starts to store problems, and removes those of dead processes. */
  start(): void {
    this.#isKept = true;
    const left = allProblems(this.#codex.store.reader).filter((row) => !hasLiveOwner(row));
    if (left.length > 0) this.#keep((tx) => left.forEach(({ owner }) => dropProblemsOf(tx, owner)));
  }

  async close(): Promise<void> {
    const hasAny = [...this.#texts.values()].some(({ size }) => size > 0);
    if (!this.#isKept || !hasAny) return;
    this.#isKept = false;
    const { store, owner } = this.#codex;
    await store.derive((tx) => dropProblemsOf(tx, owner)).catch(() => undefined);
  }

  report(notebookId: number, source: ProblemSource, error: unknown): void {
    const texts = this.#texts.get(notebookId) ?? new Map<ProblemSource, string>();
    const { code, message } = failureOf(error);
    if (texts.get(source) === message) return;
    this.#texts.set(notebookId, texts.set(source, message));
    this.tell(error, { part: source, notebook: this.#nameOf(notebookId) });
    const since = toTimestamp(this.#codex.clock());
    this.#keep((tx) => putProblem(tx, this.#codex, { notebook_id: notebookId, source, code, message, since }));
  }

  clear(notebookId: number, source: ProblemSource): void {
    if (this.#texts.get(notebookId)?.delete(source) !== true) return;
    this.#keep((tx) => dropProblem(tx, this.#codex.owner, notebookId, source));
  }

  /** Passes a problem to the listener, unless the listener got the same one within the last minute. */
  tell(error: unknown, origin: ProblemOrigin): void {
    const { part, notebook = '' } = origin;
    if (this.#told.allows(`${part} ${notebook} ${failureOf(error).message}`)) this.#listener(error, origin);
  }

  /** Returns the problem to show in a notebook's status. */
  get(notebookId: number): string | undefined {
    const texts = this.#texts.get(notebookId);
    return SHOWN_IN_STATUS.map((source) => texts?.get(source)).find((text) => text !== undefined);
  }

  #nameOf(notebookId: number): string {
    try {
      return findNotebook(this.#codex.store.reader, notebookId)?.name ?? String(notebookId);
    } catch {
      // The name cannot be read if the store itself has failed.
      return String(notebookId);
    }
  }

  /**
   * Stores a change without journalling it, because problems are derived data. Ignores errors, because the listener
   * already has the problem.
   */
  #keep(change: (tx: Transaction) => void): void {
    if (this.#isKept) void this.#codex.store.derive(change).catch(() => undefined);
  }
}

/** Returns the problems stored by processes that are still alive. */
export function knownProblems(tx: Transaction): readonly ProblemRow[] {
  return allProblems(tx).filter(hasLiveOwner);
}

function hasLiveOwner({ pid, pid_start: start, boot_id: boot }: ProblemRow): boolean {
  return isAlive({ pid, start, boot });
}
