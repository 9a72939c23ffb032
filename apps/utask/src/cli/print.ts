import { systemClock, toTimestamp } from '@holdfast/base';
import { style, type Text } from '@holdfast/cli';
import { abbreviatedId, shortId, stateOf, type Task } from '../model/task.ts';

type ShownTask = Pick<Task, 'id' | 'text' | 'done' | 'tags' | 'created' | 'completed' | 'source'>;

/** As in the design document: `2f8c8a3c9a12  Buy milk  [errand,shopping]`. Few pieces, because lists are long. */
export function taskLine(task: ShownTask): Text {
  const { id, text, tags, done } = task;
  const state = stateOf(task, toTimestamp(systemClock()));
  const words = text.includes('\n') ? text.replaceAll(/\s*\n\s*/g, ' ⏎ ') : text;
  const shown = done ? style.dim(`  ${words}`) : `  ${words}`;
  const pieces: Text[] = [style.yellow(shortId(id)), shown];
  if (tags.length > 0) pieces.push(style.cyan(`  [${tags.join(',')}]`));
  if (state !== 'open') pieces.push((state === 'done' ? style.green : style.dim)(`  ${state}`));
  return pieces;
}

export function matched(verb: string, id: string): string {
  return `${verb} (matched id ${abbreviatedId(id)})`;
}
