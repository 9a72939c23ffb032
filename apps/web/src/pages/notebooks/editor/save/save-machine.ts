/**
 * Decides when a note is sent and read, and how changes on the server are merged. It is pure: it receives events with
 * their times and returns the next action. Sending and reading never overlap, so a read is never older than the last
 * save. Only three things change the text: typing, a merge that contains both sides, and a read while there are no
 * local changes.
 */

export interface Version<T> {
  readonly text: T;
  readonly hash: string;
}

export interface Sending<T> {
  readonly text: T;
  readonly baseHash: string;
  /** Identifies the request within the session, so that the server runs a repeated request once. */
  readonly number: number;
  /** Another program or tab wrote the base, so it must be committed before it is overwritten. */
  readonly isOnForeign: boolean;
}

interface Failure {
  readonly error: unknown;
  readonly isTemporary: boolean;
}

export interface SaveState<T> {
  readonly text: T;
  readonly base: Version<T>;
  readonly isBaseForeign: boolean;
  readonly phase: 'idle' | 'sending' | 'reading';
  readonly sending: Sending<T> | undefined;
  readonly sent: number;
  readonly wantsRead: boolean;
  /** The last hash that the event stream reported during a request. */
  readonly told: string | undefined;
  /** The other version, if it cannot be merged. Nothing is sent until the user has chosen a version. */
  readonly conflict: Version<T> | undefined;
  /** Times of the first and the last unsent keystroke. */
  readonly changedAt: number | undefined;
  readonly typedAt: number | undefined;
  readonly isUrgent: boolean;
  readonly failure: Failure | undefined;
  readonly retryAt: number | undefined;
  readonly retries: number;
  readonly saved: { readonly at: number; readonly eventId: number | null } | undefined;
  readonly isGone: boolean;
}

export type Input<T> =
  | { readonly type: 'typed'; readonly text: T; readonly at: number }
  | { readonly type: 'save-now'; readonly at: number }
  | { readonly type: 'saved'; readonly hash: string; readonly eventId: number | null; readonly at: number }
  /** The server's version differs from the base, so nothing was written. */
  | { readonly type: 'refused'; readonly at: number }
  /** `isUnsure`: the request may have succeeded, so the same request is repeated. */
  | { readonly type: 'failed'; readonly failure: Failure; readonly isUnsure: boolean; readonly at: number }
  /**
   * The event stream reported a change. A missing hash means that the stream was interrupted and that changes may have
   * been missed.
   */
  | { readonly type: 'told'; readonly hash: string | undefined; readonly at: number }
  | { readonly type: 'read'; readonly version: Version<T>; readonly at: number }
  | { readonly type: 'gone'; readonly at: number }
  | { readonly type: 'decided'; readonly text: T; readonly at: number };

export type Action<T> =
  | { readonly type: 'send'; readonly sending: Sending<T> }
  | { readonly type: 'read' }
  | { readonly type: 'wait'; readonly until: number }
  | { readonly type: 'rest' };

export interface TextRules<T> {
  readonly same: (left: T, right: T) => boolean;
  readonly merge: (base: T, mine: T, theirs: T) => T | undefined;
}

const QUIET_MS = 800;
const LATEST_MS = 5_000;
const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 4_000;

export function initialState<T>(base: Version<T>): SaveState<T> {
  return {
    text: base.text,
    base,
    isBaseForeign: false,
    phase: 'idle',
    sending: undefined,
    sent: 0,
    wantsRead: false,
    told: undefined,
    conflict: undefined,
    changedAt: undefined,
    typedAt: undefined,
    isUrgent: false,
    failure: undefined,
    retryAt: undefined,
    retries: 0,
    saved: undefined,
    isGone: false,
  };
}

export function isDirty<T>(state: SaveState<T>, { same }: TextRules<T>): boolean {
  return !same(state.text, state.base.text);
}

export function step<T>(state: SaveState<T>, input: Input<T>, rules: TextRules<T>): SaveState<T> {
  switch (input.type) {
    case 'typed': {
      const changedAt = isDirty(state, rules) ? (state.changedAt ?? input.at) : input.at;
      const typed = { ...state, text: input.text, typedAt: input.at, changedAt };
      // The new text may not have the problem that made saving the old text fail permanently.
      return state.failure?.isTemporary === false ? { ...typed, failure: undefined } : typed;
    }
    case 'save-now':
      return { ...state, isUrgent: isDirty(state, rules), retryAt: undefined, failure: undefined };
    case 'saved':
      return afterSaved(state, input);
    case 'refused':
      return afterAnswer({ ...state, sending: undefined, wantsRead: true, changedAt: state.changedAt ?? input.at });
    case 'failed':
      return afterFailure(state, input);
    case 'told':
      return afterTold(state, input);
    case 'read':
      return afterRead(afterAnswer({ ...state, wantsRead: false, told: undefined }), input, rules);
    case 'gone':
      return { ...afterAnswer(state), wantsRead: false, isGone: true };
    case 'decided':
    default:
      return afterDecision(state, input);
  }
}

function afterAnswer<T>(state: SaveState<T>): SaveState<T> {
  return { ...state, phase: 'idle', failure: undefined, retryAt: undefined };
}

function afterSaved<T>(state: SaveState<T>, { hash, eventId, at }: Extract<Input<T>, { type: 'saved' }>): SaveState<T> {
  const { sending, told } = state;
  if (sending === undefined) return state;
  return {
    ...afterAnswer(state),
    base: { text: sending.text, hash },
    isBaseForeign: false,
    sending: undefined,
    wantsRead: state.wantsRead || (told !== undefined && told !== hash),
    told: undefined,
    retries: 0,
    saved: { at, eventId },
  };
}

function afterFailure<T>(
  state: SaveState<T>,
  { failure, isUnsure, at }: Extract<Input<T>, { type: 'failed' }>,
): SaveState<T> {
  const isSending = state.phase === 'sending';
  return {
    ...state,
    phase: 'idle',
    failure,
    sending: isUnsure ? state.sending : undefined,
    wantsRead: state.wantsRead || state.phase === 'reading',
    changedAt: isSending && !isUnsure ? (state.changedAt ?? at) : state.changedAt,
    retryAt: failure.isTemporary ? at + pause(state.retries) : undefined,
    retries: state.retries + 1,
  };
}

function pause(retries: number): number {
  return Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** Math.min(retries, 10));
}

function afterTold<T>(state: SaveState<T>, { hash, at }: Extract<Input<T>, { type: 'told' }>): SaveState<T> {
  const known = state.conflict?.hash ?? state.base.hash;
  // The server responds again: retry now.
  const retryAt = hash === undefined && state.retryAt !== undefined ? at : state.retryAt;
  if (state.phase === 'sending' || state.sending !== undefined) {
    return { ...state, told: hash ?? state.told ?? '', retryAt };
  }
  return hash === known ? { ...state, retryAt } : { ...state, wantsRead: true, retryAt };
}

function afterRead<T>(
  state: SaveState<T>,
  { version, at }: Extract<Input<T>, { type: 'read' }>,
  rules: TextRules<T>,
): SaveState<T> {
  const { base, text } = state;
  if (version.hash === base.hash) {
    // The save was rejected, but the read shows no change: the server has not indexed the changed file yet.
    const isEarly = !rules.same(text, base.text) && state.conflict === undefined;
    const calm = { ...state, conflict: undefined };
    return isEarly ? { ...calm, retryAt: at + pause(state.retries), retries: state.retries + 1 } : calm;
  }
  const news = { ...state, base: version, isBaseForeign: true, conflict: undefined, retries: 0 };
  if (rules.same(text, base.text) || rules.same(text, version.text)) {
    return { ...news, text: version.text, changedAt: undefined };
  }
  const merged = rules.merge(base.text, text, version.text);
  if (merged === undefined) return { ...state, conflict: version, retries: 0 };
  return { ...news, text: merged, changedAt: state.changedAt ?? at, typedAt: state.typedAt ?? at };
}

function afterDecision<T>(state: SaveState<T>, { text, at }: Extract<Input<T>, { type: 'decided' }>): SaveState<T> {
  if (state.conflict === undefined) return state;
  const { conflict } = state;
  return {
    ...state,
    text,
    base: conflict,
    isBaseForeign: true,
    conflict: undefined,
    isUrgent: true,
    changedAt: at,
    typedAt: at,
  };
}

/** Returns the next action; `rest` if there is nothing to do until the next event. */
export function nextAction<T>(state: SaveState<T>, now: number, rules: TextRules<T>): Action<T> {
  const { phase, sending, retryAt, failure } = state;
  if (phase !== 'idle' || state.isGone) return { type: 'rest' };
  if (retryAt !== undefined && now < retryAt) return { type: 'wait', until: retryAt };
  if (failure?.isTemporary === false) return { type: 'rest' };
  if (sending !== undefined) return { type: 'send', sending };
  if (state.wantsRead) return { type: 'read' };
  if (state.conflict !== undefined || !isDirty(state, rules)) return { type: 'rest' };
  const due = Math.min((state.typedAt ?? now) + QUIET_MS, (state.changedAt ?? now) + LATEST_MS);
  if (now < due && !state.isUrgent) return { type: 'wait', until: due };
  const { text, base, sent, isBaseForeign } = state;
  return { type: 'send', sending: { text, baseHash: base.hash, number: sent + 1, isOnForeign: isBaseForeign } };
}

export function begin<T>(state: SaveState<T>, action: Action<T>): SaveState<T> {
  if (action.type === 'read') return { ...state, phase: 'reading', wantsRead: false };
  if (action.type !== 'send') return state;
  const { sending } = action;
  const isAgain = state.sending !== undefined;
  return {
    ...state,
    phase: 'sending',
    sending,
    sent: sending.number,
    ...(isAgain ? {} : { changedAt: undefined, isUrgent: false }),
  };
}

export type SaveStatus =
  | { readonly kind: 'unchanged'; readonly sha: string | null }
  | { readonly kind: 'editing' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved'; readonly at: number }
  | { readonly kind: 'committed'; readonly at: number; readonly sha: string }
  /** The server is unreachable. `isKept` tells whether the browser has stored the text. */
  | { readonly kind: 'offline'; readonly isKept: boolean }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The hash identifies the other version, which may change while the user decides. */
  | { readonly kind: 'conflict'; readonly hash: string }
  | { readonly kind: 'gone' };

export function saveStatusOf<T>(
  state: SaveState<T>,
  rules: TextRules<T>,
  isKept: boolean,
  sha: string | null,
): SaveStatus {
  const { failure, phase, saved } = state;
  const isUnsaved = isDirty(state, rules) || state.sending !== undefined;
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
