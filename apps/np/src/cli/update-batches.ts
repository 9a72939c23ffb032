import { commandLineErrors, type GivenOption } from '@holdfast/cli';
import { type TaskUpdate, updateNeedsReason } from '../model/reason.ts';
import { type Status, STATUSES } from '../model/status.ts';

const NAMES = ['status', 'title', 'description', 'reason', 'ifVersion'] as const;
type Name = (typeof NAMES)[number];

/**
 * `-i A -s completed -i B -s failed -r why` is two updates: each `-i` begins one, and what follows belongs to it. One
 * reason for the whole command goes to every update that needs one and has none of its own.
 */
export function updateBatches(given: readonly GivenOption[]): readonly TaskUpdate[] {
  const updates: ({ id: string } & Partial<Record<Name, GivenOption['value']>>)[] = [];
  const reasons = given.filter(({ name }) => name === 'reason').map(({ value }) => String(value));
  for (const { name, value } of given) {
    const current = updates.at(-1);
    if (name === 'id') updates.push({ id: String(value) });
    else if (!isName(name)) continue;
    else if (current === undefined) refuseWithoutTask(name);
    else if (current[name] === undefined) current[name] = value;
    else throw commandLineErrors.INVALID_ARGUMENT(`--${name} is given twice for task ${current.id}.`);
  }
  return updates.map((update) => withCommonReason(checked(update), reasons));
}

function withCommonReason(update: TaskUpdate, reasons: readonly string[]): TaskUpdate {
  const isCommon = reasons.length === 1 && update.reason === undefined && updateNeedsReason(update);
  return isCommon ? { ...update, reason: reasons[0] } : update;
}

function checked({ status, ...rest }: { id: string } & Partial<Record<Name, GivenOption['value']>>): TaskUpdate {
  if (status !== undefined && !STATUSES.includes(status as Status)) {
    throw commandLineErrors.INVALID_ARGUMENT(`--status cannot be "${status}".`);
  }
  return { ...(rest as TaskUpdate), status: status as Status | undefined };
}

/** A reason may stand before the first task, for all of them. */
function refuseWithoutTask(name: string): void {
  if (name === 'reason') return;
  throw commandLineErrors.MISSING_OPTION(`--${name} must come after the task (-i) that it is for.`);
}

function isName(name: string): name is Name {
  return (NAMES as readonly string[]).includes(name);
}
