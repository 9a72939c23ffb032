import type { CommandContext } from '@holdfast/cli';

/** Turns "so many of so many" into a bar, which wants to know how many more. */
export function barFor(context: Pick<CommandContext, 'progress'>, label: string) {
  let bar: ReturnType<CommandContext['progress']> | undefined;
  let done = 0;
  let shownTotal = 0;
  return {
    onProgress: (current: number, total: number): void => {
      // The total grows while folders are still being looked through.
      if (bar === undefined || total > shownTotal * 1.2) {
        bar?.finish();
        bar = context.progress(label, total === 0 ? undefined : total);
        shownTotal = total;
        done = 0;
      }
      if (current > done) bar.advance(current - done);
      done = current;
    },
    [Symbol.dispose](): void {
      bar?.finish();
    },
  };
}
