import type { CommandContext } from '@holdfast/cli';
import { linesOf } from '../../adapters/lines.ts';
import { importLibrary, isExport } from '../../service/transfer/import-library.ts';
import { importMetadata } from '../../service/transfer/import-metadata.ts';
import { printOutcome } from '../view/operation.ts';
import { personOf, withLibrary } from '../with-library.ts';

interface Input {
  readonly args: { readonly file: string };
  readonly options: { readonly overwrite: boolean };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out, env, signal, progress } = context;
  const { first, lines } = await firstOf(args.file === '-' ? context.stdin.lines() : linesOf(args.file));
  using bar = progress('Importing');
  let done = 0;
  const onProgress = (current: number): void => {
    bar.advance(current - done);
    done = current;
  };
  await withLibrary(context, async (audiobooks) => {
    if (isExport(first)) {
      const imported = await importLibrary(audiobooks, lines, onProgress);
      bar.finish();
      out.result(imported, (page) =>
        page.line(`${imported.records} records, ${imported.unchanged} were here already.`),
      );
      return;
    }
    const by = personOf(env);
    const request = { lines, source: args.file, overwrite: options.overwrite, by, signal, onProgress };
    const operation = await importMetadata(audiobooks, request);
    bar.finish();
    out.result({ operation: operation.id, ...operation.result }, (page) => printOutcome(page, operation));
  });
}

/** The first line decides what it is; then it is read with all the others. */
async function firstOf(lines: AsyncIterable<string> | Iterable<string>) {
  const iterator = Symbol.asyncIterator in lines ? lines[Symbol.asyncIterator]() : lines[Symbol.iterator]();
  const { value, done } = await iterator.next();
  const first = done === true ? '' : value;
  async function* all(): AsyncGenerator<string, void, undefined> {
    yield first;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  }
  return { first, lines: all() };
}
