import { readFileSync } from 'node:fs';
import type { CommandContext } from '@holdfast/cli';
import { timestamp } from '../../adapters/clock.ts';
import { utaskErrors } from '../../model/errors.ts';
import { transferTasks } from '../../service/transfer.ts';
import { type FormatName, guessFormat, loadFormat } from '../formats.ts';
import { shownTransfer } from '../transfer-view.ts';
import { type StoreContext, withStore } from '../with-store.ts';

interface Input {
  readonly args: { readonly file: string };
  readonly options: StoreContext['options'] & { readonly format: FormatName | undefined; readonly overwrite: boolean };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out, stdin, progress } = context;
  const text = args.file === '-' ? await stdin.text() : readText(args.file);
  const format = await loadFormat(options.format ?? guessFormat(text));
  // Everything is understood before anything is changed.
  const tasks = format.read(text, timestamp());
  await withStore(context, async (store) => {
    using bar = progress('importing', tasks.length);
    const done = await transferTasks(store, tasks, { overwrite: options.overwrite, onTask: bar.advance });
    out.result({ format: format.name, ...done }, (page) => page.lines(shownTransfer(done)));
  });
}

function readText(path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw utaskErrors.BAD_IMPORT(`${path} cannot be read.`, { cause: error, hint: 'Check the name of the file.' });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const hint = 'Convert it to UTF-8 first, for example with iconv.';
    throw utaskErrors.BAD_IMPORT(`${path} is not UTF-8 text.`, { cause: error, hint });
  }
}
