import type { CommandContext } from '@holdfast/cli';
import { undoOperation } from '../../service/undo-operation.ts';
import { barFor } from '../progress.ts';
import { printOutcome } from '../view/operation.ts';
import { personOf, withLibrary } from '../with-library.ts';

interface Input {
  readonly args: { readonly operation: string };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  using bar = barFor(context, 'Undoing');
  const operation = await withLibrary(context, (audiobooks) =>
    undoOperation(audiobooks, {
      operation: context.args.operation.toUpperCase(),
      by: personOf(context.env),
      signal: context.signal,
      onProgress: bar.onProgress,
    }),
  );
  context.out.result({ ...operation }, (page) => printOutcome(page, operation));
}
