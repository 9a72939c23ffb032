import type { CommandContext } from '@holdfast/cli';
import { pruneEvents } from '../../service/statistics/prune.ts';
import { withLibrary } from '../with-library.ts';

interface Input {
  readonly options: { readonly keepDays: number; readonly keepEvents: number };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const done = await withLibrary(context, (audiobooks) => pruneEvents(audiobooks, context.options));
  context.out.result(done, (page) => page.line(`Removed ${done.removed} events; every total is as it was.`));
}
