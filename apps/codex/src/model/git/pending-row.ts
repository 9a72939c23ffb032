/** One row of `git_pending`: a step that was done to the notebook, in the order in which it was done. */
export interface PendingRow {
  readonly id: number;
  readonly kind: 'write' | 'delete' | 'rename';
  readonly path: string;
  readonly fromPath: string | undefined;
  /** SHA-256 of what was written. */
  readonly hash: string | undefined;
  readonly size: number;
  /** The bytes, when they are few; otherwise they lie in the notebook's `.codex/blobs/`. */
  readonly inline: Uint8Array | null;
  readonly isExecutable: boolean;
  readonly eventId: number;
  readonly author: string;
  /** Whether codex did it, or found that somebody else had. */
  readonly isExternal: boolean;
  readonly at: string;
}
