import { type Plan, progressOf } from './plan.ts';
import { isFinished, SYMBOL_BY_STATUS } from './status.ts';

const TASKS_MAX = 20;
const TITLE_CHARACTERS_MAX = 80;
const GOAL_CHARACTERS_MAX = 300;

/** The goal and the open tasks in a bounded number of characters, for an agent that starts with an empty context. */
export function planOutline({ goal, tasks, counts, session }: Plan): string {
  const { done, total } = progressOf(counts);
  const open = tasks.filter(({ status }) => !isFinished(status));
  const shown = open.slice(0, TASKS_MAX);
  const hidden = open.length - shown.length;
  return [
    goal === undefined ? 'No goal set yet.' : `Goal: ${cut(goal.title, TITLE_CHARACTERS_MAX)}`,
    ...(goal === undefined || goal.description === '' ? [] : [cut(goal.description, GOAL_CHARACTERS_MAX)]),
    ...shown.map(({ id, title, status }) => `${SYMBOL_BY_STATUS[status]} ${id} ${cut(title, TITLE_CHARACTERS_MAX)}`),
    ...(hidden === 0 ? [] : [`… and ${hidden} more open tasks`]),
    `${done} of ${total} done, session ${session.sid}`,
  ].join('\n');
}

/** One line of at most this many characters, cut between code points. */
function cut(text: string, charactersMax: number): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= charactersMax ? line : `${characters.slice(0, charactersMax - 1).join('')}…`;
}
