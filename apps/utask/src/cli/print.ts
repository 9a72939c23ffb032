import { style, type Text } from '@holdfast/cli';
import { abbreviatedId, shortId, type Task } from '../model/task.ts';

type ShownTask = Pick<Task, 'id' | 'text' | 'done' | 'tags' | 'created'>;

/** As in the design document: `2f8c8a3c9a12  Buy milk  [errand,shopping]`. Few pieces, because lists are long. */
export function taskLine({ id, text, tags, done }: ShownTask): Text {
  const words = text.includes('\n') ? text.replaceAll(/\s*\n\s*/g, ' ⏎ ') : text;
  const shown = done ? style.dim(`  ${words}`) : `  ${words}`;
  const pieces: Text[] = [style.yellow(shortId(id)), shown];
  if (tags.length > 0) pieces.push(style.cyan(`  [${tags.join(',')}]`));
  if (done) pieces.push(style.green('  done'));
  return pieces;
}

export function matched(verb: string, id: string): string {
  return `${verb} (matched id ${abbreviatedId(id)})`;
}
