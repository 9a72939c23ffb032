import type { CommandContext } from '@holdfast/cli';
import { databasePath } from '../../adapters/place.ts';
import { PRIME } from '../../model/guidance.ts';
import { planOutline } from '../../model/outline.ts';
import { openNp } from '../../service/np.ts';
import { showPlan } from '../../service/show-plan.ts';
import { type NpContext, whereOf } from '../with-np.ts';

export async function run(context: CommandContext<{ readonly options: NpContext['options'] }>): Promise<void> {
  const outline = await currentOutline(context);
  const text = outline === undefined ? PRIME : `${PRIME}\n## The plan now\n${outline}\n`;
  context.out.result({ markdown: text }, (page) => page.line(text.trimEnd()));
}

/** Undefined without a readable plan: the hook that runs this at the start of an agent's session must not fail. */
async function currentOutline({ options, env }: NpContext): Promise<string | undefined> {
  try {
    const np = await openNp({ path: databasePath(env), create: false });
    return planOutline(await showPlan(np, whereOf(options)));
  } catch (error) {
    if (options.session !== undefined) throw error;
    return undefined;
  }
}
