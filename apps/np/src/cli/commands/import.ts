import type { CommandContext } from '@holdfast/cli';
import { MEBIBYTE } from '@holdfast/base';
import { canonicalDirectory } from '../../adapters/directory.ts';
import { readTextFile } from '../../adapters/files.ts';
import { parseExport } from '../../model/exported.ts';
import { importSession } from '../../service/import-session.ts';
import { answerWithPlan } from '../answer.ts';
import { type NpContext, withNp } from '../with-np.ts';

interface Input {
  readonly args: { readonly file: string };
  readonly options: NpContext['options'] & { readonly archived: boolean };
}

const EXPORT_BYTES_MAX: number = 512 * MEBIBYTE;

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  const text = args.file === '-' ? await context.stdin.text(EXPORT_BYTES_MAX) : readTextFile(args.file);
  const exported = parseExport(text);
  await withNp(context, async (np) => {
    const directory = canonicalDirectory(options.dir);
    const { sid } = await importSession(np, { exported, directory, asArchived: options.archived });
    await answerWithPlan(np, { sid }, out);
  });
}
