import type { Blocker } from '../store/dependencies.ts';

/** Why something holds a task back, in words. */
export function blockerText(id: string, { task, by, status, type }: Blocker): string {
  const who = task === id ? 'it' : `its parent ${task}`;
  if (type === 'conditional-blocks') {
    const never = status === 'done' ? ', which is done: it will not run' : ` (${status})`;
    return `${who} runs only if ${by} fails${never}`;
  }
  const what = type === 'waits-for' ? `${by} or its parts` : by;
  return status === 'failed'
    ? `${who} waits for ${what}, and ${by} has failed`
    : `${who} waits for ${what} (${status})`;
}
