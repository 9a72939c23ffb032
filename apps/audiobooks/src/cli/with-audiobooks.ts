import { holdfastHome } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';
import { type Audiobooks, openAudiobooks, storeLocation } from '../service/audiobooks.ts';
import { recoverInterrupted } from '../service/operations/recover-operations.ts';

type OpenContext = Pick<CommandContext, 'env' | 'progress' | 'note'>;

/** Opens the database for one command; first recovers operations whose process died. */
export async function withAudiobooks<T>(context: OpenContext, use: (audiobooks: Audiobooks) => Promise<T>): Promise<T> {
  using bar = progressBar(context);
  const { onProgress } = bar;
  const onProblem = (error: unknown): void =>
    context.note(
      `Skipped: ${error instanceof Error ? error.message : String(error)}. 'holdfast verify audiobooks --repair' restores it.`,
    );
  const location = storeLocation(holdfastHome(context.env), context.env);
  const audiobooks = await openAudiobooks({ ...location, onProgress, onProblem });
  try {
    await recoverInterrupted(audiobooks);
    return await use(audiobooks);
  } finally {
    await audiobooks.close({ processIsEnding: true });
  }
}

function progressBar({ progress }: Pick<CommandContext, 'progress'>) {
  let bar: ReturnType<CommandContext['progress']> | undefined;
  let done = 0;
  let shownTotal = 0;
  return {
    onProgress: (current: number, total: number, phase: string): void => {
      // The total of a scan grows until all folders are listed.
      if (bar === undefined || total !== shownTotal) {
        bar?.finish();
        bar = progress(phase === '' ? 'Working' : phase, total === 0 ? undefined : total);
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
