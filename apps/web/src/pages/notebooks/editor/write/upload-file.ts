import { ProblemError } from '@holdfast/http/client';

import { randomKey } from '../../../../lib/random-key.ts';
import { statusOf } from '../../../../lib/error-reason.ts';
import { resolvePath } from '../preview/link-target.ts';

const FOLDER = 'attachments';
const TRIES = 20;
const UNREACHABLE = { code: 'UNREACHABLE', detail: 'The server is unreachable', hint: 'Try again later.' } as const;

/** Uploads a file next to the note under a free name; returns its path. */
export async function uploadFile(
  notebookId: string,
  notePath: string,
  file: File,
  onProgress: (part: number) => void,
): Promise<string> {
  const [, stem = 'file', ending = ''] = /^(.*?)(\.[^.]+)?$/u.exec(nameOf(file)) ?? [];
  for (let n = 0; ; n++) {
    const name = n === 0 ? `${stem}${ending}` : `${stem}-${n}${ending}`;
    const path = resolvePath(`${FOLDER}/${name}`, notePath) ?? name;
    try {
      await send(notebookId, path, file, onProgress);
      return path;
    } catch (error) {
      // The name is taken; files are never overwritten.
      if (statusOf(error) !== 409 || n >= TRIES) throw error;
    }
  }
}

/** Pasted images always have the same name. */
function nameOf({ name, type }: File): string {
  const clean = name.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, '-').replace(/^\.+/u, '');
  if (clean !== '' && !/^image\.\w+$/u.test(clean)) return clean;
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[T:]/gu, '-');
  return `pasted-${time}.${type.split('/')[1]?.replace(/\W.*$/u, '') ?? 'bin'}`;
}

/** XMLHttpRequest, because fetch does not report upload progress. */
function send(notebookId: string, path: string, file: File, onProgress: (part: number) => void): Promise<void> {
  const query = new URLSearchParams({ path, wait: '30' });
  const request = new XMLHttpRequest();
  request.open('POST', `/api/codex/notebooks/${encodeURIComponent(notebookId)}/files/upload?${query.toString()}`);
  request.setRequestHeader('content-type', 'application/octet-stream');
  request.setRequestHeader('idempotency-key', randomKey());
  return new Promise((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total));
    request.addEventListener('load', () => {
      if (request.status < 300) resolve();
      else reject(new ProblemError(request.status, parsed(request.responseText)));
    });
    request.addEventListener('error', () => reject(new ProblemError(0, UNREACHABLE)));
    request.send(file);
  });
}

function parsed(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}
