import { DAY, parseStoredObject } from '@holdfast/base';

import { findCode } from '../../adapters/code-files.ts';
import { fileExists, inside, readText } from '../../adapters/files.ts';
import { projectFilePaths } from '../../adapters/project-files.ts';
import type { Candidate } from '../../model/prompt/choose.ts';
import { fenced } from '../../model/prompt/layout.ts';
import { isNamed, type Query, relevances } from '../../model/prompt/relevance.ts';
import { cutToTokens, excerptOf, type Keep, tokensOf } from '../../model/prompt/tokens.ts';
import type { Task } from '../../model/task.ts';
import { textList } from '../../model/texts.ts';
import { attemptsOf } from '../../store/attempts.ts';
import { originalLine } from '../../store/beads.ts';
import { listMessages, listSummaries, type Message, messagesBetween, type Summary } from '../../store/chat.ts';
import { dependenciesOf } from '../../store/dependencies.ts';
import { listInquiries } from '../../store/inquiries.ts';
import { iterationsOf } from '../../store/iterations.ts';
import type { Tx } from '../../store/open.ts';
import { existingTask } from '../../store/tasks.ts';
import type { Ringmaster } from '../ringmaster.ts';

interface BeadsTexts {
  readonly acceptance_criteria?: unknown;
  readonly design?: unknown;
  readonly notes?: unknown;
}

const PARENTS_MAX = 5;

/** Returns the description of the task, decisions about the task, and earlier failures. */
export function taskCandidates(tx: Tx, task: Task): Candidate[] {
  const beads = beadsTexts(tx, task.id);
  const { body, acceptance } = splitAcceptance(task.description ?? '');
  const requirements = [body, under('Design', beads.design), under('Notes', beads.notes)].filter((text) => text !== '');
  const criteria = [acceptance, typeof beads.acceptance_criteria === 'string' ? beads.acceptance_criteria : ''];
  return [
    textCandidate('task', 'description', requirements.join('\n\n'), 1, 'the task itself'),
    textCandidate('task', 'acceptance', criteria.filter((text) => text !== '').join('\n\n'), 0.9, 'the task itself'),
    ...parentsOf(tx, task).map((parent, index) =>
      textCandidate(
        'project',
        `parent ${parent.id}`,
        `### Part of ${parent.id}: ${parent.title}\n${parent.description ?? ''}`,
        0.8 - index / 10,
        'the task is part of it',
      ),
    ),
    ...decisionCandidates(tx, task.id),
    ...failureCandidates(tx, task),
  ].filter((candidate) => candidate !== undefined);
}

function textCandidate(
  source: Candidate['source'],
  name: string,
  text: string,
  score: number,
  reason: string,
  more: { readonly position?: number; readonly keep?: Keep } = {},
): Candidate | undefined {
  if (text.trim() === '') return undefined;
  const position = more.position === undefined ? {} : { position: more.position };
  return { source, name, score, reason, ...position, fit: (tokens) => cutToTokens(text.trim(), tokens, more.keep) };
}

/** The criteria start at a heading or line "acceptance criteria" and end at the next heading. */
function splitAcceptance(description: string): { readonly body: string; readonly acceptance: string } {
  const lines = description.split('\n');
  const start = lines.findIndex((line) => /^\s*(?:#+\s*)?\**acceptance(?: criteria)?\**\s*:?\**\s*$/i.test(line));
  if (start < 0) return { body: description.trim(), acceptance: '' };
  const after = lines.slice(start + 1).findIndex((line) => /^#+\s/.test(line));
  const end = after < 0 ? lines.length : start + 1 + after;
  return {
    body: [...lines.slice(0, start), ...lines.slice(end)].join('\n').trim(),
    acceptance: lines
      .slice(start + 1, end)
      .join('\n')
      .trim(),
  };
}

function under(heading: string, text: unknown): string {
  return typeof text === 'string' && text.trim() !== '' ? `### ${heading}\n${text.trim()}` : '';
}

function beadsTexts(tx: Tx, id: string): BeadsTexts {
  const line = originalLine(tx, id);
  return line === undefined ? {} : parseStoredObject(line);
}

function parentsOf(tx: Tx, task: Task): Task[] {
  const parents: Task[] = [];
  for (let id = task.parent_id; id !== null && parents.length < PARENTS_MAX;) {
    const parent = existingTask(tx, id);
    parents.push(parent);
    id = parent.parent_id;
  }
  return parents;
}

function decisionCandidates(tx: Tx, id: string): (Candidate | undefined)[] {
  return listInquiries(tx, {})
    .filter(({ about_id, answer, default_answer }) => about_id === id && (answer ?? default_answer) !== null)
    .map(({ task_id, title, answer, answered_by, default_answer }, position) => {
      const said =
        answer === null
          ? `${default_answer} (default until a person answers)`
          : `${answer} (answered by ${answered_by})`;
      return textCandidate('decisions', task_id, `- ${title}\n  ${said}`, 1, 'a person was asked', { position });
    });
}

/** Returns the newest failure in full, and one line for each earlier failure. */
function failureCandidates(tx: Tx, task: Task): (Candidate | undefined)[] {
  const failed = iterationsOf(tx, task.id).filter(({ failure }) => failure !== null);
  const last = failed.at(-1);
  const text = last?.failure ?? task.last_failure ?? '';
  const earlier = failed.slice(0, -1).map(({ number, result }) => `- turn ${number}: ${result ?? 'failed'}`);
  return [
    textCandidate('failure', last === undefined ? 'last failure' : `turn ${last.number}`, text, 1, 'it failed before', {
      position: 0,
      keep: 'end',
    }),
    textCandidate('failure', 'earlier turns', earlier.join('\n'), 0.5, 'it failed before', { position: 1 }),
  ];
}

const CODE_FILES_MAX = 60;
const FENCE_TOKENS = 8;
/** Maximum share of the budget for one file, unless the task names the file. */
const SHARE_MAX = 0.4;

/** Always returns project.md and conventions.md, but only relevant files from context/. */
export function documentCandidates(rm: Ringmaster, project: string, query: Query): Candidate[] {
  const folder = `projects/${project}/`;
  const files = projectFilePaths(rm.workspace.filesPath)
    .filter((path) => path.startsWith(folder))
    .map((path) => ({ path: path.slice(folder.length), text: readText(inside(rm.workspace.filesPath, path)) }));
  const always = files.filter(({ path }) => !path.startsWith('context/'));
  const context = files.filter(({ path, text }) => path.startsWith('context/') && !text.includes('\0'));
  const scores = relevances(context, query);
  return [
    ...always.map(({ path, text }) =>
      textCandidate('project', path, text, path === 'project.md' ? 1 : 0.95, 'always', {
        position: path === 'project.md' ? -2 : -1,
      }),
    ),
    ...context.map(({ path, text }, index): Candidate => {
      const heading = `### ${path}\n`;
      return {
        source: 'context',
        name: path,
        score: scores[index] ?? 0,
        reason: isNamed(path, query.names) ? 'the task names it' : 'it shares words with the task',
        fit: (tokens) => {
          const { text: cut, isCut } = cutToTokens(text.trim(), tokens - tokensOf(heading));
          return { text: cut === '' ? '' : `${heading}${cut}`, isCut };
        },
      };
    }),
  ].filter((candidate) => candidate !== undefined);
}

/** Returns the files in the repository that contain words from the task or that the task names. */
export async function codeCandidates(
  folder: string,
  query: Query,
  { maxTokens, now }: { readonly maxTokens: number; readonly now: number },
): Promise<Candidate[]> {
  if (maxTokens === 0) return [];
  // Longer words are more specific.
  const terms = [...query.terms.keys()].sort((left, right) => right.length - left.length);
  const isWanted = (path: string): boolean => isNamed(path, query.names);
  const files = await findCode(folder, { terms, limit: CODE_FILES_MAX, names: query.names.size, isWanted });
  const scores = relevances(
    files.map(({ path, text, changedAt }) => ({ path, text, ageDays: Math.max(0, now - changedAt) / DAY })),
    query,
  );
  return files.map(({ path, text }, index) => {
    const named = isWanted(path);
    const share = named ? maxTokens : Math.floor(maxTokens * SHARE_MAX);
    return {
      source: 'code',
      name: path,
      score: scores[index] ?? 0,
      reason: named ? 'the task names it' : 'it contains words of the task',
      fit: (tokens) => {
        const { text: part, isCut } = excerptOf(
          text,
          new Set(terms),
          Math.min(tokens, share) - tokensOf(path) - FENCE_TOKENS,
        );
        return { text: part.trim() === '' ? '' : `\`${path}\`\n${fenced(part, languageOf(path))}`, isCut };
      },
    };
  });
}

function languageOf(path: string): string {
  return /\.([A-Za-z]\w{0,7})$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

const LOOKED_AT = 500;

/** Returns the last messages verbatim, and summaries of earlier ones. */
export function historyCandidates(tx: Tx, task: Task, messagesMax: number): Candidate[] {
  const messages = listMessages(tx, { project: task.project_id, limit: LOOKED_AT })
    .filter(({ task_id }) => task_id === null || task_id === task.id)
    // `slice(-0)` would return all messages.
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

/** Newer messages score higher. Messages about the task itself get a bonus. */
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
    message.task_id === task ? 'message about the task' : 'message about the project',
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

/** Returns whether all messages of a summary are already included verbatim. */
function isCovered(tx: Tx, summary: Summary, verbatim: ReadonlySet<number>): boolean {
  const { project_id, task_id, message_range_start: first, message_range_end: last } = summary;
  return messagesBetween(tx, project_id, task_id, first, last).every((id) => verbatim.has(id));
}

/** Returns the results of the task's dependencies: the end of their workers' output. */
export function resultCandidates(rm: Ringmaster, task: Task, maxTokens: number): Candidate[] {
  const tx = rm.store.reader;
  const finished = dependenciesOf(tx, task.id)
    .filter(({ status }) => status === 'done' || status === 'failed')
    .map(({ parent_id, type }) => ({ done: existingTask(tx, parent_id), type }))
    // Decisions and their answers have their own section in the prompt.
    .filter(({ done }) => done.type !== 'decision');
  const share = Math.floor(maxTokens / Math.max(1, finished.length));
  return finished.map(({ done, type }, index) => {
    const heading = `### ${done.id}: ${done.title} (${done.status}${done.completed_at === null ? '' : ` at ${done.completed_at}`})`;
    const output = outputOf(rm, done);
    return {
      source: 'results',
      name: done.id,
      score: type === 'blocks' ? 1 : 0.8,
      reason: `the task waited for it (${type})`,
      position: index,
      fit: (tokens) => {
        const room = Math.min(tokens, share) - tokensOf(heading) - 6;
        if (output === '' || room <= 0) return { text: heading, isCut: output !== '' };
        const { text, isCut } = cutToTokens(output, room, 'end');
        return { text: text === '' ? heading : `${heading}\n${fenced(text)}`, isCut };
      },
    };
  });
}

/** Returns the log of the task's last turn; empty if it no longer exists. */
function outputOf(rm: Ringmaster, task: Task): string {
  const tx = rm.store.reader;
  const paths = [
    iterationsOf(tx, task.id).findLast(({ log_path }) => log_path !== null)?.log_path,
    attemptsOf(tx, task.id).findLast(({ output_path }) => output_path !== null)?.output_path,
  ];
  const path = paths.find(
    (one) => one !== null && one !== undefined && fileExists(inside(rm.workspace.filesPath, one)),
  );
  return path === undefined || path === null ? '' : readText(inside(rm.workspace.filesPath, path)).trimEnd();
}
