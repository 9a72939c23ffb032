import type { NoteFacts } from './facts.ts';

/** A change for the note index, written in the commit that caused it whenever possible. */
export type NoteChange =
  | {
      readonly kind: 'content';
      readonly fileId: string;
      readonly name: string;
      readonly hash: string;
      readonly eventId: number | null;
      readonly facts: NoteFacts;
    }
  /** The content is the same, but not its name, or what lies beside it. */
  | {
      readonly kind: 'about';
      readonly fileId: string;
      readonly name: string;
      readonly eventId: number | null;
      /** Undefined: as before. */
      readonly facts?: NoteFacts | undefined;
    }
  /** Its content has to be read again, later. */
  | { readonly kind: 'stale'; readonly fileId: string }
  | { readonly kind: 'gone'; readonly fileIds: readonly string[] }
  /** Everything that a delete put into the trash. */
  | { readonly kind: 'trashed'; readonly eventId: number };
