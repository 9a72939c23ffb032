/** `[[target#part|text]]`, `![[target]]`, `[text](target)` and `![text](target)`. */
export type LinkKind = 'wiki' | 'embed' | 'markdown' | 'image';

/** A link to something in the notebook; addresses of the web are none. */
export interface NoteLink {
  readonly kind: LinkKind;
  /** The file, as it is named in the note: without `#part`, and without the escapes of an address. */
  readonly target: string;
  /** The part after `#`. */
  readonly part: string | null;
  readonly text: string;
  /** The line of the file, from 1. */
  readonly line: number;
  /** Where the target is written in the text of the file, escapes included, `#part` not: what a rename replaces. */
  readonly start: number;
  readonly end: number;
}
