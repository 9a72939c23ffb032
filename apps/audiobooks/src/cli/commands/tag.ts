import type { CommandContext } from '@holdfast/cli';
import type { Operation } from '../../model/operation.ts';
import { tagBook } from '../../service/tag-book.ts';
import { barFor } from '../progress.ts';
import { printOutcome } from '../view/operation.ts';
import { personOf, withLibrary } from '../with-library.ts';

interface Input {
  readonly args: { readonly books: readonly string[] };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, out, env, signal } = context;
  using bar = barFor(context, 'Writing tags');
  const done = await withLibrary(context, async (audiobooks) => {
    const operations: Operation[] = [];
    for (const book of args.books) {
      const request = { book, by: personOf(env), signal, onProgress: bar.onProgress };
      operations.push(await tagBook(audiobooks, request));
    }
    return operations;
  });
  const data = done.map(({ id, result }) => ({ operation: id, ...result }));
  out.result(data, (page) => {
    for (const operation of done) printOutcome(page, operation);
  });
}
