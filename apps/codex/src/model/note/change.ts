import type { NoteFacts } from './facts.ts';

/** What the index of notes has to learn after a commit; part of the same commit whenever possible. */
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
  /** What it says has to be read again, by and by. */
  | { readonly kind: 'stale'; readonly fileId: string }
  | { readonly kind: 'gone'; readonly fileIds: readonly string[] }
  /** Everything that a delete put into the trash. */
  | { readonly kind: 'trashed'; readonly eventId: number };
