/** `[[target#part|text]]`, `![[target]]`, `[text](target)` and `![text](target)`. */
export type LinkKind = 'wiki' | 'embed' | 'markdown' | 'image';

/** A link within the notebook, not to the web. */
export interface NoteLink {
  readonly kind: LinkKind;
  /** The target as the note names it, without `#part` and with escapes decoded. */
  readonly target: string;
  readonly part: string | null;
  readonly text: string;
  /** Line number, from 1. */
  readonly line: number;
  /** Range of the target in the source, with escapes and without `#part`: a rename replaces it. */
  readonly start: number;
  readonly end: number;
}
