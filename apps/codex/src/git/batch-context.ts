import type { Clock } from '@holdfast/base';
import type { Store } from '../store/open.ts';
import type { NotebookRepository } from './notebook-repository.ts';

export interface BatchContext {
  readonly store: Store;
  readonly notebookId: number;
  readonly opened: NotebookRepository;
  /** Tip of the branch after the last batch. */
  readonly lastSeen: string | undefined;
  /** First line of the commit message, if the caller gave one. */
  readonly words: string | undefined;
  readonly maxFileBytes: number;
  readonly now: Clock;
  /** A fraction from 0 up to 1. */
  readonly random: () => number;
}
