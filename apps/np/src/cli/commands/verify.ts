import { type CommandContext, type ExitCode, tellVerified } from '@holdfast/cli';
import { verify } from '../../service/verify.ts';
import { type NpContext, withNp } from '../with-np.ts';

interface Input {
  readonly options: NpContext['options'] & { readonly repair: boolean };
}

export async function run(context: CommandContext<Input>): Promise<ExitCode> {
  const report = await withNp(context, (np) => verify(np, context.options.repair));
  return tellVerified(context.out, report);
}
