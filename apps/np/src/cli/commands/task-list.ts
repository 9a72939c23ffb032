import type { CommandContext } from '@holdfast/cli';
import type { Status } from '../../model/status.ts';
import { listTasks } from '../../service/show-plan.ts';
import { printTasks } from '../view/plan.ts';
import { type NpContext, withNp } from '../with-np.ts';

interface Input {
  readonly options: NpContext['options'] & { readonly status: Status | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { status } = context.options;
  const { session, tasks } = await withNp(context, (np, { where }) => listTasks(np, where, status));
  context.out.result({ sid: session.sid, tasks }, (page) => {
    if (tasks.length === 0 && status !== undefined) page.line(`No tasks are ${status}.`);
    else printTasks(page, tasks);
  });
}
