import type { Store } from '../store/open.ts';
import type { NotebookRepository } from './notebook-repository.ts';

/** What every step of a batch needs. */
export interface BatchContext {
  readonly store: Store;
  readonly notebookId: number;
  readonly opened: NotebookRepository;
  readonly maxFileBytes: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
