import { inside, sha256, writeImmutable } from '../adapters/files.ts';
import { runForText } from '../adapters/processes.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { tokensOf } from '../model/prompt/tokens.ts';
import type { NewSummary } from '../operations/summaries.ts';
import {
  insertMessage,
  insertSummary,
  listMessages,
  listSummaries,
  type Message,
  type Summary,
} from '../store/chat.ts';
import { recordEvent } from '../store/events.ts';
import { registerFile } from '../store/files.ts';
import type { Tx } from '../store/open.ts';
import { chosenProject } from '../store/projects.ts';
import { existingTask } from '../store/tasks.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export interface NewMessage {
  readonly project?: string | undefined;
  readonly task?: string | undefined;
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string;
  readonly media?: { readonly bytes: Uint8Array; readonly name: string } | undefined;
}

const MEDIA_BYTES_MAX = 64 * 1024 * 1024;
const mediaTypes = {
  image: ['png', 'jpg', 'jpeg', 'gif', 'webp'],
  audio: ['mp3', 'wav', 'ogg', 'm4a', 'flac', 'webm'],
  text: ['txt', 'md', 'log'],
} as const;

export function allMessages(
  { store }: Ringmaster,
  { project, task, limit }: Pick<NewMessage, 'project' | 'task'> & { readonly limit: number },
): readonly Message[] {
  const { id } = chosenProject(store.reader, project);
  return listMessages(store.reader, { project: id, task, limit });
}

/** Adds a message. Stores media under their hash, so that a caller's file name never decides the path. */
export async function addMessage(rm: Ringmaster, input: NewMessage): Promise<Message> {
  if (input.content.trim() === '' && input.media === undefined) {
    throw ringmasterErrors.TEXT_INVALID('A message must not be empty');
  }
  const media = input.media === undefined ? undefined : keepMedia(rm, input.media);
  return rm.store.write('chat', (tx) => {
    const call = callOf(rm);
    const task = input.task === undefined ? undefined : existingTask(tx, input.task);
    const project = chosenProject(tx, input.project ?? task?.project_id);
    if (media !== undefined) registerFile(tx, { ...media.file, created_at: call.now });
    const message = insertMessage(tx, {
      project_id: project.id,
      task_id: task?.id ?? null,
      role: input.role,
      content: input.content,
      media_type: media?.type ?? null,
      media_path: media?.file.path ?? null,
      created_at: call.now,
    });
    recordEvent(tx, call, {
      type: 'message_created',
      entity: 'chat',
      id: String(message.id),
      data: { task: input.task },
    });
    return message;
  });
}

function keepMedia(
  rm: Ringmaster,
  { bytes, name }: { readonly bytes: Uint8Array; readonly name: string },
): {
  readonly type: string;
  readonly file: { readonly path: string; readonly kind: 'media'; readonly bytes: number; readonly sha256: string };
} {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const [type] = Object.entries(mediaTypes).find(([, known]) => known.some((one) => one === extension)) ?? [];
  if (type === undefined) {
    throw ringmasterErrors.TEXT_INVALID(`The file extension of "${name}" is not a known text, audio or image type`, {
      hint: `Known extensions: ${Object.values(mediaTypes).flat().join(', ')}.`,
    });
  }
  if (bytes.length > MEDIA_BYTES_MAX) throw ringmasterErrors.TEXT_INVALID(`"${name}" is larger than 64 MiB`);
  const hash = sha256(bytes);
  const path = `media/${hash.slice(0, 2)}/${hash}.${extension}`;
  writeImmutable(inside(rm.workspace.filesPath, path), bytes);
  return { type, file: { path, kind: 'media', bytes: bytes.length, sha256: hash } };
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
  // Adds the task to the name, because a task's summary and the project's summary may start with the same message.
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

/** Selects messages of this project and task. Messages with ids in between may belong to other conversations. */
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
    throw ringmasterErrors.TEXT_INVALID('No summary text was given', {
      hint: 'Pass the summary, or set a command in ringmaster.toml: [summaries] command = ["claude", "-p"]',
    });
  }
  const input = messages.map(({ id, role, content }) => `[${id}] ${role}: ${content}\n`).join('');
  return runForText({ program, args, input, folder: workspace.root });
}
