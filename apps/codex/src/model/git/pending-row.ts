/** A row of `git_pending`: one change of the notebook, in order. */
export interface PendingRow {
  readonly id: number;
  readonly kind: 'write' | 'delete' | 'rename';
  readonly path: string;
  readonly fromPath: string | undefined;
  /** SHA-256 of the content. */
  readonly hash: string | undefined;
  readonly size: number;
  /** Short content; longer content is in `.codex/blobs/` of the notebook. */
  readonly inline: Uint8Array | null;
  readonly isExecutable: boolean;
  readonly eventId: number;
  readonly author: string;
  /** True if another program made the change. */
  readonly isExternal: boolean;
  readonly at: string;
}
