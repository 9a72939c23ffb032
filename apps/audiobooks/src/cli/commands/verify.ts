import { type CommandContext, type ExitCode, style } from '@holdfast/cli';
import { verify } from '../../service/verify.ts';
import { withLibrary } from '../with-library.ts';

interface Input {
  readonly options: { readonly repair: boolean };
}

/** Exit code 1 says that something is wrong and still is. */
export async function run(context: CommandContext<Input>): Promise<ExitCode> {
  using bar = context.progress('Checking');
  const report = await withLibrary(context, (catalogue) => verify(catalogue, context.options.repair));
  bar.finish();
  const { keys, records, indexes, problems } = report;
  context.out.result(report, (page) => {
    for (const { kind, key, detail, repaired } of problems) {
      page.line(repaired ? style.green('repaired') : style.red('problem'), ` ${kind} ${key}: ${detail}`);
    }
    page.line(`${keys} keys, ${records} records, ${indexes} index entries, ${problems.length} problems`);
  });
  return problems.some(({ repaired }) => !repaired) ? 1 : 0;
}
