import type { CommandContext, CommandSpec } from '@holdfast/cli';
import { setGoal, showGoal, updateGoal } from '../operations/sessions.ts';
import { textReader } from './batches.ts';
import { goalLines, printChange } from './print.ts';
import { command } from './command.ts';

type Given = Readonly<Record<string, unknown>>;

/** Both texts may come from standard input (`-`), but only one of them. */
async function withTexts(input: Given, { stdin }: Pick<CommandContext, 'stdin'>): Promise<Given> {
  const read = textReader(stdin);
  const texts: Record<string, string> = {};
  for (const name of ['title', 'description']) {
    const value = input[name];
    if (typeof value === 'string') texts[name] = await read(value);
  }
  return { ...input, ...texts };
}

const short = { title: 't', description: 'd', reason: 'r' } as const;

const set = command(setGoal, { name: 's', aliases: ['set'], short, prepare: withTexts, print: printChange });
const update = command(updateGoal, { name: 'u', aliases: ['update'], short, prepare: withTexts, print: printChange });

export const goalCommand: CommandSpec = {
  ...command(showGoal, {
    name: 'g',
    aliases: ['goal'],
    print: ({ goal }, page) => page.lines(goalLines(goal)),
  }),
  commands: [set, update],
};
