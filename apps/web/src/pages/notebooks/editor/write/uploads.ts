import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { ProblemError } from '@holdfast/http/client';

import { statusOf } from '../../../../lib/error-reason.ts';
import { randomKey } from '../../../../lib/random-key.ts';
import { complain } from '../../../../lib/toasts.ts';
import { relativePath, resolvePath } from '../preview/link-target.ts';

interface Upload {
  readonly id: number;
  readonly at: number;
  readonly name: string;
}

const began = StateEffect.define<Upload>({ map: (upload, change) => ({ ...upload, at: change.mapPos(upload.at) }) });
const ended = StateEffect.define<number>();

class UploadWidget extends WidgetType {
  readonly upload: Upload;
  readonly element = document.createElement('span');

  constructor(upload: Upload) {
    super();
    this.upload = upload;
    this.element.className = 'note-upload';
    this.progress(0);
  }

  progress(part: number): void {
    this.element.textContent = `Uploading ${this.upload.name} … ${Math.round(part * 100)} %`;
  }

  override toDOM(): HTMLElement {
    return this.element;
  }
}

const widgets = new Map<number, UploadWidget>();

const uploads = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    let next = set.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(began)) {
        const widget = new UploadWidget(effect.value);
        widgets.set(effect.value.id, widget);
        next = next.update({
          add: [Decoration.widget({ widget, id: effect.value.id, side: 1 }).range(effect.value.at)],
        });
      }
      if (effect.is(ended)) {
        widgets.delete(effect.value);
        next = next.update({ filter: (_from, _to, { spec }) => (spec as { id: number }).id !== effect.value });
      }
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

interface UploadTarget {
  readonly notebookId: string;
  readonly notePath: () => string;
}

let lastId = 0;

export function uploading(place: UploadTarget): Extension {
  return [
    uploads,
    EditorView.domEventHandlers({
      paste(event, view) {
        const files = [...(event.clipboardData?.files ?? [])];
        return files.length > 0 && insertFiles(view, files, view.state.selection.main.to, place);
      },
      drop(event, view) {
        const files = [...(event.dataTransfer?.files ?? [])];
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.selection.main.to;
        if (files.length === 0) return false;
        event.preventDefault();
        return insertFiles(view, files, at, place);
      },
    }),
  ];
}

export function insertFiles(view: EditorView, files: readonly File[], at: number, place: UploadTarget): boolean {
  if (view.state.readOnly) return false;
  for (const file of files) void insertFile(view, file, at, place);
  return true;
}

async function insertFile(view: EditorView, file: File, at: number, place: UploadTarget): Promise<void> {
  lastId += 1;
  const id = lastId;
  view.dispatch({ effects: began.of({ id, at, name: file.name }) });
  try {
    const path = await uploadFile(place.notebookId, place.notePath(), file, (part) => widgets.get(id)?.progress(part));
    const label = (path.split('/').at(-1) ?? path).replaceAll(/[[\]]/gu, '');
    const link = `[${label}](${relativePath(path, place.notePath())})`;
    const insert = file.type.startsWith('image/') ? `!${link}` : link;
    view.dispatch({ changes: { from: placeOf(view, id), insert }, effects: ended.of(id), userEvent: 'input.paste' });
  } catch (error) {
    view.dispatch({ effects: ended.of(id) });
    complain(`Could not upload ${file.name}`, error);
  }
}

function placeOf(view: EditorView, id: number): number {
  const cursor = view.state.field(uploads).iter();
  for (; cursor.value !== null; cursor.next()) {
    if ((cursor.value.spec as { id: number }).id === id) return cursor.from;
  }
  return view.state.selection.main.to;
}

const FOLDER = 'attachments';
const TRIES = 20;
const UNREACHABLE = { code: 'UNREACHABLE', detail: 'The server is unreachable', hint: 'Try again later.' } as const;

async function uploadFile(
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
      // A file with this name exists. It is never overwritten, so this tries another name.
      if (statusOf(error) !== 409 || n >= TRIES) throw error;
    }
  }
}

/** Gives pasted images different names, because browsers give all of them the same name. */
function nameOf({ name, type }: File): string {
  const clean = name.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, '-').replace(/^\.+/u, '');
  if (clean !== '' && !/^image\.\w+$/u.test(clean)) return clean;
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[T:]/gu, '-');
  return `pasted-${time}.${type.split('/')[1]?.replace(/\W.*$/u, '') ?? 'bin'}`;
}

/** Uses XMLHttpRequest, because fetch does not report upload progress. */
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
