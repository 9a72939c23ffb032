import type { CommandContext } from '@holdfast/cli';
import { toMarkdown } from '../../model/markdown.ts';
import { exportSession } from '../../service/export-session.ts';
import { type NpContext, withNp } from '../with-np.ts';

interface Input {
  readonly options: NpContext['options'] & { readonly format: 'md' | 'json' };
}

/** The document is the product and printed as it is; with `--json` it comes in the envelope that all answers have. */
export async function run(context: CommandContext<Input>): Promise<void> {
  const exported = await withNp(context, (np, { where }) => exportSession(np, where));
  const isMarkdown = context.options.format === 'md';
  const { isJson, out } = context;
  if (isJson) out.result(isMarkdown ? { markdown: toMarkdown(exported) } : exported, () => undefined);
  else out.raw(isMarkdown ? toMarkdown(exported) : `${JSON.stringify(exported, null, 2)}\n`);
}
