type Source = 'queue' | 'notes' | 'watching';

/** What went wrong with a notebook last and is not the fault of an operation, until it works again; for people. */
export class Problems {
  readonly #texts = new Map<number, Map<Source, string>>();

  note(notebookId: number, source: Source, error: unknown): void {
    const texts = this.#texts.get(notebookId) ?? new Map<Source, string>();
    this.#texts.set(notebookId, texts.set(source, error instanceof Error ? error.message : String(error)));
  }

  /** What this part of the work ran into is over. */
  clear(notebookId: number, source: Source): void {
    this.#texts.get(notebookId)?.delete(source);
  }

  get(notebookId: number): string | undefined {
    return [...(this.#texts.get(notebookId)?.values() ?? [])][0];
  }
}
