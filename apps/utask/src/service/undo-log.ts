/** A change of one task: its stored values before and after, null where there was no task. */
export interface Change {
  readonly id: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The changes that one command made together. */
export type Step = readonly Change[];

export interface UndoSteps {
  /** Newest last. */
  readonly undo: readonly Step[];
  readonly redo: readonly Step[];
}

interface StepStore {
  read(): UndoSteps | undefined;
  write(steps: UndoSteps): boolean;
}

const STEPS_MAX = 50;
const NO_STEPS: UndoSteps = { undo: [], redo: [] };

/** The steps that `ut undo` and `ut redo` go through, on this machine and for one task list. */
export class UndoLog {
  readonly #store: StepStore;
  readonly #onUnrecorded: (() => void) | undefined;

  constructor(store: StepStore, onUnrecorded?: () => void) {
    this.#store = store;
    this.#onUnrecorded = onUnrecorded;
  }

  get steps(): UndoSteps {
    return this.#store.read() ?? NO_STEPS;
  }

  /** Adds a step and forgets what could have been redone. A command that changed nothing leaves no step. */
  record(changes: Step): void {
    const step = changes.filter(({ before, after }) => before !== after);
    if (step.length > 0) this.#write({ undo: [...this.steps.undo, step], redo: [] });
  }

  /** Moves the newest step from `undo` to `redo`, after it was undone. */
  undone(): void {
    const { undo, redo } = this.steps;
    this.#write({ undo: undo.slice(0, -1), redo: [...redo, ...undo.slice(-1)] });
  }

  redone(): void {
    const { undo, redo } = this.steps;
    this.#write({ undo: [...undo, ...redo.slice(-1)], redo: redo.slice(0, -1) });
  }

  #write({ undo, redo }: UndoSteps): void {
    if (!this.#store.write({ undo: undo.slice(-STEPS_MAX), redo })) this.#onUnrecorded?.();
  }
}
