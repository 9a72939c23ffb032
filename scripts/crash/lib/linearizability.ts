/**
 * Checks whether a history of concurrent operations is linearizable: whether each operation can have happened at one
 * moment between its call and its answer, so that all answers fit one order. Searches for such an order, as Wing and
 * Gong describe, and visits no combination of state and completed operations twice, as Lowe describes.
 */
export interface Operation<Input, Output> {
  readonly client: string;
  readonly input: Input;
  /** Undefined if the client got no answer: then the operation may have happened at any later moment, or never. */
  readonly output: Output | undefined;
  /** Times of one clock. An operation that ended before another was called happened before it. */
  readonly called: number;
  readonly returned: number;
}

export interface Model<State, Input, Output> {
  readonly initial: State;
  /**
   * Returns the state after an operation: the same object if nothing changed, or undefined if the operation cannot have
   * this output in this state.
   */
  apply(state: State, input: Input, output: Output | undefined): State | undefined;
}

/** Part of an order: every answered operation before `done` is in it, and some later ones. */
interface Partial<State> {
  readonly done: number;
  readonly later: readonly number[];
  /** Unanswered operations that are in the order. */
  readonly unanswered: readonly number[];
  readonly state: State;
}

/**
 * Returns undefined if the history is linearizable. Otherwise, returns the operations that could come next after the
 * longest order that was found; each of them contradicts that order.
 */
export function findViolation<State, Input, Output>(
  model: Model<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
): readonly Operation<Input, Output>[] | undefined {
  const sorted = [...history].sort((left, right) => left.called - right.called);
  const answered = sorted.filter(({ output }) => output !== undefined);
  const unanswered = sorted.filter(({ output }) => output === undefined);
  const seen = new Set<string>();
  const stack: Partial<State>[] = [{ done: 0, later: [], unanswered: [], state: model.initial }];
  let longest = -1;
  let stuck: readonly Operation<Input, Output>[] = [];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at.done === answered.length) return undefined;
    const key = JSON.stringify(at);
    if (seen.has(key)) continue;
    seen.add(key);
    const next = nextAnswered(answered, at);
    const length = at.done + at.later.length;
    if (length > longest) {
      longest = length;
      stuck = next.candidates.map((index) => answered[index]!);
    }
    stack.push(...nextOrders(model, answered, unanswered, at, next));
  }
  return stuck;
}

/** Returns the orders to try, the most likely one last. */
function nextOrders<State, Input, Output>(
  model: Model<State, Input, Output>,
  answered: readonly Operation<Input, Output>[],
  unanswered: readonly Operation<Input, Output>[],
  at: Partial<State>,
  { candidates, before }: Next,
): Partial<State>[] {
  const orders: Partial<State>[] = [];
  for (const [index, { called, input }] of unanswered.entries()) {
    if (called > before || at.unanswered.includes(index)) continue;
    const state = model.apply(at.state, input, undefined);
    if (state === undefined || state === at.state) continue;
    orders.push({ ...at, unanswered: sortedWith(at.unanswered, index), state });
  }
  for (const index of candidates.toReversed()) {
    const { input, output } = answered[index]!;
    const state = model.apply(at.state, input, output);
    if (state === undefined) continue;
    const order = { ...complete(at, index), unanswered: at.unanswered, state };
    // If the operation can come next and changes nothing, then every order of the others can start with it.
    if (state === at.state) return [order];
    orders.push(order);
  }
  return orders;
}

interface Next {
  readonly candidates: readonly number[];
  /** The moment when the first remaining operation returned. */
  readonly before: number;
}

/** Returns the operations that may come next: those that were called before any remaining operation returned. */
function nextAnswered(answered: readonly Operation<unknown, unknown>[], { done, later }: Partial<unknown>): Next {
  const candidates: number[] = [];
  let before = Infinity;
  for (let index = done; index < answered.length && answered[index]!.called <= before; index++) {
    if (later.includes(index)) continue;
    candidates.push(index);
    before = Math.min(before, answered[index]!.returned);
  }
  return { candidates: candidates.filter((index) => answered[index]!.called <= before), before };
}

function complete({ done, later }: Partial<unknown>, index: number): { done: number; later: readonly number[] } {
  const rest = new Set(later).add(index);
  let next = done;
  while (rest.delete(next)) next += 1;
  return { done: next, later: [...rest].sort((left, right) => left - right) };
}

function sortedWith(numbers: readonly number[], added: number): readonly number[] {
  return [...numbers, added].sort((left, right) => left - right);
}

/** A value that is written and read as a whole. */
export const register: Model<string, { readonly write?: string }, { readonly value?: string }> = {
  initial: '',
  apply(state, { write }, output) {
    if (write !== undefined) return write;
    return output === undefined || output.value === state ? state : undefined;
  },
};

/** A number that operations add to; adding 0 reads it. The output is the number afterwards, if the client knows it. */
export const counter: Model<number, { readonly add: number }, { readonly value?: number }> = {
  initial: 0,
  apply(state, { add }, output) {
    return output?.value === undefined || output.value === state + add ? state + add : undefined;
  },
};

export interface LeaseState {
  readonly owner: string | undefined;
  /** Grows with each new owner. */
  readonly fence: number;
}

export type LeaseInput =
  | { readonly acquire: string }
  /** Takes the lease from an owner that did not renew it. */
  | { readonly take: string }
  | { readonly release: number };

/** A lease that one client holds at a time. The output is the fence that the client got, or 0 if it was refused. */
export const lease: Model<LeaseState, LeaseInput, { readonly fence: number }> = {
  initial: { owner: undefined, fence: 0 },
  apply(state, input, output) {
    const next = leaseAfter(state, input);
    const fence = next === state ? 0 : next.fence;
    return output === undefined || output.fence === fence ? next : undefined;
  },
};

function leaseAfter(state: LeaseState, input: LeaseInput): LeaseState {
  if ('release' in input) {
    const isHeld = state.owner !== undefined && state.fence === input.release;
    return isHeld ? { owner: undefined, fence: state.fence } : state;
  }
  if ('acquire' in input && state.owner !== undefined) return state;
  return { owner: 'take' in input ? input.take : input.acquire, fence: state.fence + 1 };
}
