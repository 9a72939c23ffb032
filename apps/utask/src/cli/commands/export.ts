import type { CommandContext } from '@holdfast/cli';
import { type FormatName, loadFormat } from '../formats.ts';
import { splitWords } from '../view.ts';
import { type UtaskContext, withUtask } from '../with-utask.ts';

interface Input {
  readonly options: UtaskContext['options'] & {
    readonly format: FormatName;
    readonly any: readonly string[];
    readonly all: readonly string[];
  };
}

/**
 * The file itself on standard output; what the format could not take, on standard error. With `--json` the same comes in
 * the envelope that all answers have: our own as the tasks, which import understands, others as text.
 */
export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, out, note, isJson } = context;
  const format = await loadFormat(options.format);
  await withUtask(context, async (utask) => {
    const tasks = await utask.query({ any: splitWords(options.any), all: splitWords(options.all) });
    const { text, losses } = format.write(tasks);
    const data = options.format === 'json' ? tasks : { format: options.format, text, losses };
    if (isJson) out.result(data, () => undefined);
    else out.raw(text);
    for (const loss of losses) note(loss);
  });
}
