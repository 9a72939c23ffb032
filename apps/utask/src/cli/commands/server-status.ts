import type { CommandContext } from '@holdfast/cli';
import { runningServer } from '../../adapters/nats-server.ts';
import { type UtaskContext, withUtask } from '../with-utask.ts';

interface Input {
  readonly options: UtaskContext['options'];
}

/** Where the tasks are, what an acknowledgement means there, and what that server cannot do. */
export async function run(context: CommandContext<Input>): Promise<void> {
  await withUtask(context, async (utask, { home }) => {
    const server = runningServer(home) ?? null;
    const { facts } = utask;
    context.out.result({ ...facts, server }, (page) => {
      page.fields([
        ['tasks', facts.where],
        ['promise', facts.durability],
        ['own server', server === null ? 'not running' : `${server.url}, process ${server.pid}`],
      ]);
      page.lines(facts.lacks.map((lack) => `lacks: ${lack}`));
    });
  });
}
