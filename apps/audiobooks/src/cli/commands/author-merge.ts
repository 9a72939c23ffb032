import type { CommandContext } from '@holdfast/cli';
import { mergeAuthors } from '../../service/changes/merge-authors.ts';
import { personOf, withLibrary } from '../with-library.ts';

interface Input {
  readonly args: { readonly keep: string; readonly others: readonly string[] };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const request = { ...context.args, by: personOf(context.env) };
  const { value, operation } = await withLibrary(context, (audiobooks) => mergeAuthors(audiobooks, request));
  context.out.result({ author: value, operation: operation.id }, (page) =>
    page.line(`${value.name} is also ${value.aliases.join(', ')}. Undo: holdfast audiobooks undo ${operation.id}`),
  );
}
