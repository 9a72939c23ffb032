import { type CommandContext, type ExitCode, tellVerified } from '@holdfast/cli';
import { verify } from '../../service/verify.ts';
import { withLibrary } from '../with-library.ts';

interface Input {
  readonly options: { readonly repair: boolean };
}

export async function run(context: CommandContext<Input>): Promise<ExitCode> {
  using bar = context.progress('Checking');
  const report = await withLibrary(context, (audiobooks) => verify(audiobooks, context.options.repair));
  bar.finish();
  return tellVerified(context.out, report);
}
