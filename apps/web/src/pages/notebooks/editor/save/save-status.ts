import type { SaveState } from './save-machine.ts';

/** The save state that the page shows. */
export type SaveStatus =
  | { readonly kind: 'unchanged'; readonly sha: string | null }
  | { readonly kind: 'editing' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved'; readonly at: number }
  | { readonly kind: 'committed'; readonly at: number; readonly sha: string }
  /** The server is unreachable; `isKept` tells whether the browser has stored the text. */
  | { readonly kind: 'offline'; readonly isKept: boolean }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The hash identifies the other version, which may change while the user decides. */
  | { readonly kind: 'conflict'; readonly hash: string }
  | { readonly kind: 'gone' };

interface Facts {
  readonly isDirty: boolean;
  readonly isKept: boolean;
  readonly sha: string | null;
}

export function statusOf<T>(state: SaveState<T>, { isDirty, isKept, sha }: Facts): SaveStatus {
  const { failure, phase, saved } = state;
  const isUnsaved = isDirty || state.sending !== undefined;
  if (state.isGone) return { kind: 'gone' };
  if (state.conflict !== undefined) return { kind: 'conflict', hash: state.conflict.hash };
  if (failure !== undefined && isUnsaved) {
    return failure.isTemporary ? { kind: 'offline', isKept } : { kind: 'failed', error: failure.error };
  }
  if (phase === 'sending') return { kind: 'saving' };
  if (isUnsaved) return { kind: 'editing' };
  if (saved === undefined) return { kind: 'unchanged', sha };
  return sha === null ? { kind: 'saved', at: saved.at } : { kind: 'committed', at: saved.at, sha };
}

export function sameStatus(left: SaveStatus, right: SaveStatus): boolean {
  const [one, other] = [left, right] as readonly Readonly<Record<string, unknown>>[];
  return Object.keys({ ...one, ...other }).every((key) => one?.[key] === other?.[key]);
}
