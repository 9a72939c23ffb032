import { describeEvent } from './describe-event.ts';
import type { Event } from './event.ts';
import type { ExportedSession } from './exported.ts';
import { countByStatus, type Task } from './session.ts';
import { LABEL_BY_STATUS, SYMBOL_BY_STATUS } from './status.ts';
import { progressOf } from './plan.ts';

/** Returns the plan and the log with its reasons, for people. */
export function toMarkdown({ session, goal, tasks, events }: ExportedSession): string {
  const { done, total } = progressOf(countByStatus(tasks));
  const state = session.archived_at === null ? 'active' : `archived ${session.archived_at}`;
  const parts = [
    `# ${goal === null ? 'No goal' : inline(goal.title)}`,
    ...(goal === null || goal.description === '' ? [] : [goal.description]),
    `Session \`${session.sid}\` in \`${session.dir_path}\`, started ${session.created_at}, ${state}.`,
    `## Tasks (${done} of ${total} done)`,
    tasks.length === 0 ? 'None.' : tasks.map(taskItem).join('\n'),
    '## Log',
    events.map(eventItem).join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function taskItem({ id, title, description, status, actor }: Task): string {
  const claimed = actor === undefined ? '' : `, claimed by ${inline(actor)}`;
  const head = `- ${SYMBOL_BY_STATUS[status]} \`${id}\` ${inline(title)} (${LABEL_BY_STATUS[status]}${claimed})`;
  return description === '' ? head : `${head}\n\n${indented(description)}\n`;
}

function eventItem(event: Event): string {
  const reason = event.reason === null ? '' : ` (because ${inline(event.reason)})`;
  return `${event.seq}. ${event.at} ${inline(describeEvent(event))}${reason}`;
}

/** Joins lines and escapes Markdown. */
function inline(text: string): string {
  return text.replaceAll(/\s*\n\s*/gu, ' ').replaceAll(/[\\`*_[\]<>#|]/gu, String.raw`\$&`);
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gmu, '  ');
}
