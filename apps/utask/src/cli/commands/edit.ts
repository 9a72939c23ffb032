import { type CommandContext, commandLineErrors } from '@holdfast/cli';
import { normalizedTags } from '../../model/tag.ts';
import { changeTasks, modified } from '../change-tasks.ts';
import { splitWords } from '../view.ts';
import type { UtaskContext } from '../with-utask.ts';

interface Input {
  readonly args: { readonly prefix: string };
  readonly options: UtaskContext['options'] & {
    readonly text: string | undefined;
    readonly title: string | undefined;
    readonly tag: readonly string[];
    readonly untag: readonly string[];
    readonly tags: string | undefined;
    readonly done: boolean;
  };
}

export function run(context: CommandContext<Input>): Promise<void> {
  const { args, options } = context;
  const text = options.text ?? options.title;
  const added = normalizedTags(options.tag);
  const removed = new Set(normalizedTags(options.untag));
  const only = options.tags === undefined ? undefined : normalizedTags(splitWords([options.tags]));
  if (text === undefined && added.length === 0 && removed.size === 0 && only === undefined && !options.done) {
    throw commandLineErrors.MISSING_OPTION('What is to be changed? Give --text, --tag or --untag.');
  }
  return changeTasks({ ...context, args: { prefix: [args.prefix] } }, 'OK', (utask, id) =>
    modified(utask, id, ({ tags }) => ({
      text,
      tags: [...(only ?? tags).filter((tag) => !removed.has(tag)), ...added],
      done: options.done ? true : undefined,
    })),
  );
}
