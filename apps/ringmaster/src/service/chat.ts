import { inside, sha256, writeImmutable } from '../adapters/files.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { insertMessage, listMessages, type Message } from '../store/chat.ts';
import { recordEvent } from '../store/events.ts';
import { registerFile } from '../store/files.ts';
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
const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  webp: 'image',
  mp3: 'audio',
  wav: 'audio',
  ogg: 'audio',
  m4a: 'audio',
  flac: 'audio',
  webm: 'audio',
  txt: 'text',
  md: 'text',
  log: 'text',
};

/** Returns the newest `limit` messages of a project or task, oldest first. */
export function allMessages(
  { store }: Ringmaster,
  { project, task, limit }: Pick<NewMessage, 'project' | 'task'> & { readonly limit: number },
): readonly Message[] {
  const { id } = chosenProject(store.reader, project);
  return listMessages(store.reader, { project: id, task, limit });
}

/** Media are stored under their hash, so that a file name given by a caller never decides where it is written. */
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
  const type = mediaTypes[extension];
  if (type === undefined) {
    throw ringmasterErrors.TEXT_INVALID(`"${name}" has no known file extension for text, audio or images`, {
      hint: `Known extensions: ${Object.keys(mediaTypes).join(', ')}.`,
    });
  }
  if (bytes.length > MEDIA_BYTES_MAX) throw ringmasterErrors.TEXT_INVALID(`"${name}" is larger than 64 MiB`);
  const hash = sha256(bytes);
  const path = `media/${hash.slice(0, 2)}/${hash}.${extension}`;
  writeImmutable(inside(rm.workspace.filesPath, path), bytes);
  return { type, file: { path, kind: 'media', bytes: bytes.length, sha256: hash } };
}
