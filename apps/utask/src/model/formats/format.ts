import type { Task } from '../task.ts';

/** A way to write tasks down. */
export interface Format {
  readonly name: string;
  /** Throws BAD_IMPORT for what is not in this format. `now` is for tasks that do not say when they were created. */
  read(text: string, now: string): readonly Task[];
  write(tasks: readonly Task[]): Written;
}

interface Written {
  readonly text: string;
  /** What the format could not take, for people. */
  readonly losses: readonly string[];
}

export function countOf(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${count} × ${what}`];
}
