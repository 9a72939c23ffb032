import type { Candidate } from '../../model/prompt/choose.ts';
import type { Task } from '../../model/task.ts';
import { textList } from '../../model/texts.ts';
import type { Tx } from '../../store/open.ts';
import { listMessages, type Message, messagesBetween } from '../../store/chat.ts';
import { listSummaries, type Summary } from '../../store/summaries.ts';
import { textCandidate } from './task-candidates.ts';

const LOOKED_AT = 500;

/** Returns the last messages verbatim, and summaries of those before. */
export function historyCandidates(tx: Tx, task: Task, messagesMax: number): Candidate[] {
  const messages = listMessages(tx, { project: task.project_id, limit: LOOKED_AT })
    .filter(({ task_id }) => task_id === null || task_id === task.id)
    // Not `-messagesMax`: slice(-0) would return all.
    .slice(messagesMax === 0 ? LOOKED_AT : -messagesMax);
  const verbatim = new Set(messages.map(({ id }) => id));
  const summaries = listSummaries(tx, task.project_id)
    .filter(({ task_id }) => task_id === null || task_id === task.id)
    .filter((summary) => !isCovered(tx, summary, verbatim));
  return [
    ...messages.map((message, index) => chatCandidate(message, task.id, index, messages.length)),
    ...summaries.map((summary, index) => summaryCandidate(summary, task.id, index, summaries.length)),
  ].filter((candidate) => candidate !== undefined);
}

/** Newer messages score higher, and those about the task itself highest. */
function recency(index: number, count: number, isOwn: boolean): number {
  return (isOwn ? 0.5 : 0.2) + (0.5 * (index + 1)) / count;
}

function chatCandidate(message: Message, task: string, index: number, count: number): Candidate | undefined {
  const media = message.media_path === null ? '' : ` [${message.media_type}: ${message.media_path}]`;
  return textCandidate(
    'chat',
    `message ${message.id}`,
    `**${message.role}**, ${message.created_at}:${media}\n${message.content}`,
    recency(index, count, message.task_id === task),
    message.task_id === task ? 'said about the task' : 'said in the project',
    { position: index },
  );
}

function summaryCandidate(summary: Summary, task: string, index: number, count: number): Candidate | undefined {
  const decisions = textList(summary.key_decisions).map((text) => `- ${text}`);
  return textCandidate(
    'summaries',
    `messages ${summary.message_range_start} to ${summary.message_range_end}`,
    [summary.summary, ...decisions].join('\n'),
    recency(index, count, summary.task_id === task),
    summary.task_id === task ? 'about the task' : 'about the project',
    { position: index },
  );
}

/** Returns whether all messages of a summary are included verbatim anyway. */
function isCovered(tx: Tx, summary: Summary, verbatim: ReadonlySet<number>): boolean {
  const { project_id, task_id, message_range_start: first, message_range_end: last } = summary;
  return messagesBetween(tx, project_id, task_id, first, last).every((id) => verbatim.has(id));
}
