import type { CommandContext, ExitCode } from '@holdfast/cli';
import { shortId } from '../../model/id.ts';
import { type UtaskContext, withUtask } from '../with-utask.ts';

interface Input {
  readonly options: UtaskContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<ExitCode> {
  return withUtask(context, async (utask) => {
    const report = await utask.check();
    const { tasks, tags, missing, stale, unreadable = [] } = report;
    const isIndexRight = missing.length === 0 && stale.length === 0;
    context.out.result(report, (page) => {
      page.line(`${tasks} tasks, ${tags} tags: ${missing.length} entries missing, ${stale.length} stale`);
      page.lines(missing.map(({ tag, id }) => `missing  ${shortId(id)}  ${tag}`));
      page.lines(stale.map(({ tag, id }) => `stale    ${shortId(id)}  ${tag}`));
      page.lines(unreadable.map((id) => `no task  ${shortId(id)}`));
    });
    if (!isIndexRight)
      context.note("'ut rebuild-index' corrects this. Answers are right all the same if nothing is missing.");
    return isIndexRight && unreadable.length === 0 ? 0 : 1;
  });
}
