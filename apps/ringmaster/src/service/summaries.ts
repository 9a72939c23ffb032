import { inside, sha256, writeImmutable } from '../adapters/files.ts';
import { runForText } from '../adapters/run-command.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { tokensOf } from '../model/prompt/tokens.ts';
import { listMessages, type Message } from '../store/chat.ts';
import { recordEvent } from '../store/events.ts';
import { registerFile } from '../store/files.ts';
import type { Tx } from '../store/open.ts';
import { chosenProject } from '../store/projects.ts';
import { insertSummary, listSummaries, type Summary } from '../store/summaries.ts';
import { existingTask } from '../store/tasks.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export interface NewSummary {
  readonly project?: string | undefined;
  readonly task?: string | undefined;
  /** First and last message; default: all messages without a summary. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Default: written by the command in ringmaster.toml. */
  readonly text?: string | undefined;
  readonly decisions?: readonly string[] | undefined;
}

const MESSAGES_MAX = 10_000;

export function allSummaries(
  { store }: Ringmaster,
  { project }: { readonly project?: string | undefined },
): readonly Summary[] {
  return listSummaries(store.reader, chosenProject(store.reader, project).id);
}

export async function addSummary(rm: Ringmaster, input: NewSummary): Promise<Summary> {
  const { project, messages } = toSummarise(rm, input);
  const [first, last] = [messages[0], messages.at(-1)];
  if (first === undefined || last === undefined)
    throw ringmasterErrors.RANGE_INVALID('There are no messages to summarise');
  const text = input.text ?? (await written(rm, messages));
  // A task's summary may start with the same message as one of the project.
  const name = [String(first.id).padStart(6, '0'), ...(input.task === undefined ? [] : [input.task])].join('-');
  const path = `projects/${project}/history/summaries/${name}.md`;
  const bytes = new TextEncoder().encode(text);
  writeImmutable(inside(rm.workspace.filesPath, path), bytes);
  return rm.store.write('summary', (tx) => {
    const call = callOf(rm);
    refuseOverlap(tx, project, input.task ?? null, first.id, last.id);
    registerFile(tx, { path, kind: 'summary', bytes: bytes.length, sha256: sha256(bytes), created_at: call.now });
    const summary = insertSummary(tx, {
      project_id: project,
      task_id: input.task ?? null,
      message_range_start: first.id,
      message_range_end: last.id,
      summary: text,
      key_decisions: JSON.stringify(input.decisions ?? []),
      token_count: tokensOf(text),
      created_at: call.now,
    });
    const data = { from: first.id, to: last.id };
    recordEvent(tx, call, { type: 'summary_created', entity: 'summary', id: String(summary.id), data });
    return summary;
  });
}

/** Only messages of this project and task: ids of other conversations lie in between. */
function toSummarise(
  { store }: Ringmaster,
  { project, task, from, to }: NewSummary,
): { readonly project: string; readonly messages: readonly Message[] } {
  const tx = store.reader;
  const { id } = chosenProject(tx, project ?? (task === undefined ? undefined : existingTask(tx, task).project_id));
  const covered = listSummaries(tx, id).filter((summary) => summary.task_id === (task ?? null));
  const start = from ?? Math.max(0, ...covered.map(({ message_range_end }) => message_range_end)) + 1;
  const messages = listMessages(tx, { project: id, task, limit: MESSAGES_MAX }).filter(
    (message) => message.id >= start && message.id <= (to ?? Infinity),
  );
  return { project: id, messages };
}

function refuseOverlap(tx: Tx, project: string, task: string | null, from: number, to: number): void {
  const other = listSummaries(tx, project).find(
    (one) => one.task_id === task && one.message_range_start <= to && one.message_range_end >= from,
  );
  if (other === undefined) return;
  throw ringmasterErrors.RANGE_INVALID(
    `Messages ${other.message_range_start} to ${other.message_range_end} are already summarised`,
  );
}

async function written({ config, workspace }: Ringmaster, messages: readonly Message[]): Promise<string> {
  const [program, ...args] = config.summaries.command;
  if (program === undefined) {
    throw ringmasterErrors.TEXT_INVALID('No text was given', {
      hint: 'Pass the summary, or set a command in ringmaster.toml: [summaries] command = ["claude", "-p"]',
    });
  }
  const input = messages.map(({ id, role, content }) => `[${id}] ${role}: ${content}\n`).join('');
  return runForText({ program, args, input, folder: workspace.root });
}
