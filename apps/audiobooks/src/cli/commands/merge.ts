import type { CommandContext } from '@holdfast/cli';
import { mergeBook } from '../../service/merge/encode-book.ts';
import { barFor } from '../progress.ts';
import { printOutcome } from '../view/operation.ts';
import { personOf, withLibrary } from '../with-library.ts';

interface Input {
  readonly args: { readonly book: string };
  readonly options: { readonly bitrate: number | undefined; readonly force: boolean };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out, env, signal } = context;
  using bar = barFor(context, 'Merging');
  const request = {
    book: args.book,
    bitrateKbps: options.bitrate,
    force: options.force,
    by: personOf(env),
    signal,
    onProgress: bar.onProgress,
  };
  const operation = await withLibrary(context, (audiobooks) => mergeBook(audiobooks, request));
  out.result({ operation: operation.id, ...operation.result }, (page) => {
    printOutcome(page, operation);
    page.line(`Undo: holdfast audiobooks undo ${operation.id}`);
  });
}
