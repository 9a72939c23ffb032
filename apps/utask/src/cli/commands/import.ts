import { systemClock, toTimestamp } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';
import { readText } from '../../adapters/text-file.ts';
import { withKnownIds } from '../../service/known-imports.ts';
import { transferTasks } from '../../service/transfer.ts';
import { type FormatName, guessFormat, loadFormat } from '../formats.ts';
import { shownTransfer } from '../transfer-view.ts';
import { type UtaskContext, withUtask } from '../with-utask.ts';

interface Input {
  readonly args: { readonly file: string };
  readonly options: UtaskContext['options'] & { readonly format: FormatName | undefined; readonly overwrite: boolean };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out, stdin, progress } = context;
  const text = args.file === '-' ? await stdin.text() : readText(args.file);
  const format = await loadFormat(options.format ?? guessFormat(text));
  // Everything is understood before anything is changed.
  const tasks = format.read(text, toTimestamp(systemClock()));
  await withUtask(context, async (utask) => {
    using bar = progress('importing', tasks.length);
    const done = await transferTasks(utask, await withKnownIds(utask, tasks), {
      overwrite: options.overwrite,
      onTask: bar.advance,
    });
    out.result({ format: format.name, ...done }, (page) => page.lines(shownTransfer(done)));
  });
}
