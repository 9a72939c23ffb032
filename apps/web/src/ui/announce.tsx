import type { ReactNode } from 'react';

/**
 * Announces text to screen readers. Always rendered, because screen readers ignore live regions that appear together
 * with their text.
 */
export function Announce({ text }: { readonly text: string }): ReactNode {
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {text}
    </p>
  );
}

interface AnnounceChangesProps<Change> {
  /** The latest batch from an event stream. */
  readonly changes: readonly Change[];
  readonly describe: (change: Change) => string;
}

/** Announces the last change of a batch and how many changes the batch had. */
export function AnnounceChanges<Change>({ changes, describe }: AnnounceChangesProps<Change>): ReactNode {
  const last = changes.at(-1);
  const text = last === undefined ? '' : describe(last);
  return <Announce text={changes.length > 1 ? `${changes.length} changes. Latest: ${text}` : text} />;
}
