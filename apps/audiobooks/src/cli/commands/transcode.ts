import type { CommandContext } from '@holdfast/cli';
import { transcodeBook } from '../../service/merge/encode-book.ts';
import { barFor } from '../progress.ts';
import { printOutcome } from '../view/operation.ts';
import { personOf, withLibrary } from '../with-library.ts';

interface Input {
  readonly args: { readonly book: string };
  readonly options: { readonly to: string; readonly bitrate: number | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out, env, signal } = context;
  using bar = barFor(context, 'Encoding');
  const request = {
    book: args.book,
    format: options.to,
    bitrateKbps: options.bitrate,
    by: personOf(env),
    signal,
    onProgress: bar.onProgress,
  };
  const operation = await withLibrary(context, (audiobooks) => transcodeBook(audiobooks, request));
  out.result({ operation: operation.id, ...operation.result }, (page) => {
    printOutcome(page, operation);
    page.line(`Undo: holdfast audiobooks undo ${operation.id}`);
  });
}
