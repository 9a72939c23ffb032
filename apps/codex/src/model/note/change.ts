import type { NoteFacts } from './facts.ts';

/** A change of the note index, if possible in the commit that caused it. */
export type NoteChange =
  | {
      readonly kind: 'content';
      readonly fileId: string;
      readonly name: string;
      readonly hash: string;
      readonly eventId: number | null;
      readonly facts: NoteFacts;
    }
  /** The name or the sidecar changed, but not the content. */
  | {
      readonly kind: 'about';
      readonly fileId: string;
      readonly name: string;
      readonly eventId: number | null;
      /** Unchanged if undefined. */
      readonly facts?: NoteFacts | undefined;
    }
  /** The content has to be read again later. */
  | { readonly kind: 'stale'; readonly fileId: string }
  | { readonly kind: 'gone'; readonly fileIds: readonly string[] }
  /** All files that a delete moved to the trash. */
  | { readonly kind: 'trashed'; readonly eventId: number };
