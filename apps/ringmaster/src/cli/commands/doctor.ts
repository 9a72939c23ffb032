import type { CommandContext } from '@holdfast/cli';

import { examine } from '../../service/doctor.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'] & { readonly repair: boolean };
}

export async function run(context: CommandContext<Input>): Promise<void | 1> {
  return withRingmaster(context, async (rm) => {
    const findings = await examine(rm, context.options);
    context.out.result(findings, (page) => {
      for (const { check, problems } of findings) {
        page.line(`${check}: ${problems.length === 0 ? 'sound' : ''}`);
        page.lines(problems.map((problem) => `  ${problem}`));
      }
    });
    return findings.some(({ problems }) => problems.length > 0) ? 1 : undefined;
  });
}
