import { style, type Text } from '@holdfast/cli';
import { abbreviatedId, shortId } from '../model/id.ts';
import type { Task } from '../model/task.ts';

/** As in the seed: `2f8c8a3c9a12  Buy milk  [errand,shopping]`. Few pieces, because lists of them are long. */
export function taskLine({ id, text, tags, done }: Task): Text {
  const words = text.includes('\n') ? text.replaceAll(/\s*\n\s*/g, ' ⏎ ') : text;
  const shown = done ? style.dim(`  ${words}`) : `  ${words}`;
  const pieces: Text[] = [style.yellow(shortId(id)), shown];
  if (tags.length > 0) pieces.push(style.cyan(`  [${tags.join(',')}]`));
  if (done) pieces.push(style.green('  done'));
  return pieces;
}

export function taskFields(task: Task): readonly (readonly [string, Text])[] {
  return [
    ['id', task.id],
    ['text', task.text],
    ['done', task.done ? 'yes' : 'no'],
    ['tags', task.tags.join(', ')],
    ['created', task.created],
  ];
}

export function matched(verb: string, id: string): string {
  return `${verb} (matched id ${abbreviatedId(id)})`;
}

/** `--any a,b --any c`: what is given once or often, with commas or without. */
export function splitWords(values: readonly string[]): readonly string[] {
  return values
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

/** A command that was given one thing answers with one thing, not with a list. */
export function oneOrMany<T>(items: readonly T[], isOne: boolean): T | readonly T[] {
  return isOne && items.length === 1 ? (items[0] as T) : items;
}
