import type { Candidate } from '../../model/prompt/choose.ts';
import { cutToTokens, type Keep } from '../../model/prompt/tokens.ts';
import type { Task } from '../../model/task.ts';
import { originalLine } from '../../store/beads.ts';
import { listInquiries } from '../../store/inquiries.ts';
import { iterationsOf } from '../../store/iterations.ts';
import type { Tx } from '../../store/open.ts';
import { existingTask } from '../../store/tasks.ts';

/** Beads fields that describe the work. */
interface BeadsTexts {
  readonly acceptance_criteria?: unknown;
  readonly design?: unknown;
  readonly notes?: unknown;
}

const PARENTS_MAX = 5;

/** Returns the description, decisions about it, and earlier failures. */
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

export function textCandidate(
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

/** Starts at a heading or line "acceptance criteria" and ends at the next heading. */
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
  return line === undefined ? {} : (JSON.parse(line) as BeadsTexts);
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
        answer === null ? `${default_answer} (assumed until somebody answers)` : `${answer} (${answered_by})`;
      return textCandidate('decisions', task_id, `- ${title}\n  ${said}`, 1, 'somebody was asked', { position });
    });
}

/** The newest failure in full, earlier ones in one line. */
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
