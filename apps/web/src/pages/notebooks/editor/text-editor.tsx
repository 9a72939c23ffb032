import { useNavigate } from '@tanstack/react-router';
import {
  Bold,
  CircleAlert,
  CircleCheck,
  CloudOff,
  GitCommitHorizontal,
  Italic,
  Link2,
  ListTodo,
  LoaderCircle,
  type LucideIcon,
  Paperclip,
  Pencil,
  Table,
} from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { codexApi } from '../../../api/clients.ts';
import { noteQuery } from '../../../api/codex-queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import type { NoteFile } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { reasonOf } from '../../../lib/error-reason.ts';
import { count, exactTime } from '../../../lib/format.ts';
import { useMedia } from '../../../lib/media.ts';
import { useMay } from '../../../lib/permissions.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';
import { type Store, useStore } from '../../../lib/store.ts';
import { say } from '../../../lib/toasts.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Segments } from '../../../ui/field.tsx';
import { onCodexEvents, onCodexGap } from '../codex-stream.ts';
import { ConflictView } from './conflict-view.tsx';
import { isMarkdown, NoteController } from './note-controller.ts';
import { Outline } from './outline.tsx';
import { Preview } from './preview/preview.tsx';
import { noteServer, type ReadNote } from './save/note-server.ts';
import type { SaveStatus } from './save/save-machine.ts';
import { insertLink, insertTable, toggleBold, toggleItalic, toggleTask } from './write/markdown-commands.ts';

type Arrangement = 'live' | 'write' | 'both' | 'read';

const arrangements: readonly { readonly value: Arrangement; readonly label: string }[] = [
  { value: 'live', label: 'Live' },
  { value: 'write', label: 'Source' },
  { value: 'both', label: 'Both' },
  { value: 'read', label: 'Read' },
];

const ARRANGEMENT_KEY = 'holdfast.note.view';

function storedArrangement(): Arrangement {
  return arrangements.find(({ value }) => value === readStored(ARRANGEMENT_KEY))?.value ?? 'both';
}

interface TextEditorProps {
  readonly notebookId: string;
  readonly file: NoteFile;
  readonly opened: ReadNote;
}

export function TextEditor({ notebookId, file, opened }: TextEditorProps): ReactNode {
  const isReadOnly = !useMay('app:codex:write');
  const controller = useController({ notebookId, file, opened, isReadOnly });
  const [chosen, setChosen] = useState<Arrangement>(storedArrangement);
  const hasPreview = isMarkdown(file.path);
  const isWide = useMedia('(min-width: 48rem)');
  // A narrow screen has room for one view: the preview or, for an empty note, the editor.
  const single = opened.text.length === 0 ? 'write' : 'read';
  const shown = isWide || chosen !== 'both' ? chosen : single;
  const arrangement = hasPreview ? shown : 'write';
  const choose = (next: Arrangement): void => {
    setChosen(next);
    writeStored(ARRANGEMENT_KEY, next);
  };
  const isLive = arrangement === 'live';
  useEffect(() => controller?.setLive(isLive), [controller, isLive]);
  if (controller === undefined) return null;
  return (
    <article aria-label={file.path} className="note-editor">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-2 py-1">
        {hasPreview && !isReadOnly && arrangement !== 'read' && <Toolbar controller={controller} />}
        {hasPreview && <Outline controller={controller} isReading={arrangement === 'read'} />}
        <span className="flex-1" />
        <SaveState
          status={controller.session.status}
          gitReason={file.git_tracked ? null : file.git_reason}
          onRetry={() => controller.session.saveNow()}
        />
        {hasPreview && (
          <Segments
            label="View"
            value={arrangement}
            options={isWide ? arrangements : arrangements.filter(({ value }) => value !== 'both')}
            onChange={choose}
          />
        )}
      </header>
      <Body controller={controller} notebookId={notebookId} file={file} arrangement={arrangement} />
      <Figures controller={controller} />
    </article>
  );
}

interface BodyProps {
  readonly controller: NoteController;
  readonly notebookId: string;
  readonly file: NoteFile;
  readonly arrangement: Arrangement;
}

function Body({ controller, notebookId, file, arrangement }: BodyProps): ReactNode {
  const status = useStore(controller.session.status);
  const theirs = status.kind === 'conflict' ? controller.session.conflict : undefined;
  return (
    <>
      {status.kind === 'gone' && <GoneNotice controller={controller} notebookId={notebookId} path={file.path} />}
      {theirs !== undefined && <ConflictView key={theirs.hash} controller={controller} theirs={theirs.text} />}
      <div className="note-body" data-arrangement={arrangement} hidden={theirs !== undefined}>
        {arrangement !== 'read' && <Writing controller={controller} />}
        {(arrangement === 'both' || arrangement === 'read') && (
          <Preview controller={controller} notebookId={notebookId} notePath={file.path} />
        )}
      </div>
    </>
  );
}

/** Attaches the editor, which is created only once, so that it keeps its state when the layout changes. */
function Writing({ controller }: { readonly controller: NoteController }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.append(controller.view.dom);
    controller.view.requestMeasure();
    return () => controller.view.dom.remove();
  }, [controller]);
  return <div ref={place} className="note-writing" />;
}

function Figures({ controller }: { readonly controller: NoteController }): ReactNode {
  const { line, column, words } = useStore(controller.figures.store);
  return (
    <footer className="flex flex-wrap gap-x-4 border-t border-line px-4 py-1 text-xs text-muted tabular-nums">
      <span>{count(words, 'word')}</span>
      <span>
        {line}:{column}
      </span>
      <span className="ml-auto hidden sm:inline">Press Esc, then Tab to leave the editor</span>
    </footer>
  );
}

interface GoneNoticeProps {
  readonly controller: NoteController;
  readonly notebookId: string;
  readonly path: string;
}

/** Shown when the open note was deleted elsewhere. Its text can be saved again. */
function GoneNotice({ controller, notebookId, path }: GoneNoticeProps): ReactNode {
  const navigate = useNavigate();
  const write = useAction({
    failed: 'Could not restore the note',
    run: async () => {
      const answer = await codexApi.POST('/notebooks/{notebook}/files', {
        params: { notebook: notebookId },
        query: { wait: 30 },
        body: { path, content: controller.text.toString() },
        idempotencyKey: randomKey(),
      });
      const file = answer.data.file_id;
      await navigate({ to: '/notebooks/$id/files/$file', params: { id: notebookId, file: file ?? '' } });
    },
  });
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 bg-warn-soft px-4 py-3 text-warn">
      <p className="min-w-0 flex-1 basis-56">This note was deleted or moved. Its text is still here.</p>
      <Button size="small" isBusy={write.isPending} onClick={() => write.mutate()}>
        Create note again
      </Button>
    </div>
  );
}

const tools = [
  { label: 'Bold (Ctrl B)', icon: Bold, command: toggleBold },
  { label: 'Italic (Ctrl I)', icon: Italic, command: toggleItalic },
  { label: 'Link (Ctrl Shift K)', icon: Link2, command: insertLink },
  { label: 'Toggle task (Ctrl Enter)', icon: ListTodo, command: toggleTask },
  { label: 'Table', icon: Table, command: insertTable },
] as const;

function Toolbar({ controller }: { readonly controller: NoteController }): ReactNode {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div role="group" aria-label="Format" className="flex flex-wrap">
      {tools.map(({ label, icon: Icon, command }) => (
        <IconButton icon={Icon} key={label} label={label} onClick={() => controller.run(command)} />
      ))}
      <IconButton icon={Paperclip} label="Attach file" onClick={() => picker.current?.click()} />
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={({ target }) => {
          controller.attach([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </div>
  );
}

interface SaveStateProps {
  readonly status: Store<SaveStatus>;
  readonly gitReason: string | null;
  readonly onRetry: () => void;
}

const SHA_SHOWN = 7;

/** Shows whether the text is unsaved, saved on the server or committed. */
function SaveState({ status: store, gitReason, onRetry }: SaveStateProps): ReactNode {
  const status = useStore(store);
  const isTrouble = status.kind === 'offline' || status.kind === 'failed';
  const { icon: Icon, text, title = text } = describeSave(status, gitReason);
  return (
    <div
      data-save={status.kind}
      title={title}
      className={`flex min-w-0 items-center gap-1.5 text-[13px] ${isTrouble ? 'text-warn' : 'text-muted'}`}
    >
      <Icon className={`size-4 shrink-0 ${status.kind === 'saving' ? 'animate-spin' : ''}`} aria-hidden />
      <span role={isTrouble ? 'status' : undefined} className="min-w-0 truncate">
        {text}
      </span>
      {isTrouble && (
        <Button size="small" onClick={onRetry}>
          Save now
        </Button>
      )}
    </div>
  );
}

interface SaveText {
  readonly icon: LucideIcon;
  readonly text: string;
  readonly title?: string;
}

function describeSave(status: SaveStatus, gitReason: string | null): SaveText {
  const notInGit = gitReason === null ? 'Not committed yet.' : `Not in the history: ${gitReason}`;
  switch (status.kind) {
    case 'unchanged':
      return status.sha === null
        ? { icon: GitCommitHorizontal, text: 'Saved', title: notInGit }
        : { icon: GitCommitHorizontal, text: 'Committed', title: `Committed as ${short(status.sha)}` };
    case 'editing':
      return { icon: Pencil, text: 'Editing …' };
    case 'saving':
      return { icon: LoaderCircle, text: 'Saving …' };
    case 'saved':
      return { icon: CircleCheck, text: 'Saved', title: `Saved at ${exactTime(status.at)}. ${notInGit}` };
    case 'committed': {
      const title = `Saved at ${exactTime(status.at)}, committed as ${short(status.sha)}`;
      return { icon: GitCommitHorizontal, text: 'Committed', title };
    }
    case 'offline': {
      const text = status.isKept ? 'Offline; saved in this browser' : 'Offline; not saved';
      return { icon: CloudOff, text, title: 'Your changes will be saved when the server responds.' };
    }
    case 'failed': {
      const { title, hint } = reasonOf(status.error);
      return { icon: CircleAlert, text: `Not saved: ${title}`, title: hint };
    }
    case 'conflict':
      return { icon: CircleAlert, text: 'Changed in two places' };
    case 'gone':
    default:
      return { icon: CircleAlert, text: 'Deleted' };
  }
}

function short(sha: string): string {
  return sha.slice(0, SHA_SHOWN);
}

interface Opening {
  readonly notebookId: string;
  readonly file: NoteFile;
  readonly opened: ReadNote;
  readonly isReadOnly: boolean;
}

/** Creates the controller of the open note. Reading the file again later does not replace the text in the editor. */
function useController({ notebookId, file, opened, isReadOnly }: Opening): NoteController | undefined {
  const [controller, setController] = useState<NoteController>();
  const path = useRef(file.path);
  path.current = file.path;
  const first = useRef({ file, opened });
  useEffect(() => {
    const made = new NoteController({ notebookId, ...first.current, path: () => path.current, isReadOnly });
    const { session } = made;
    setController(made);
    void session.adopt().then((isBack) => isBack && say('Restored unsaved changes'));
    void committedVersion(notebookId, first.current.file).then((sha) => session.committedAs(sha));
    const forget = [
      onCodexEvents((events) => {
        const ours = events.filter((event) => String(event.notebook_id) === notebookId);
        session.told(ours);
        if (ours.some(({ event_type, status }) => event_type === 'move' && status === 'completed')) {
          void queryClient.invalidateQueries({ queryKey: noteQuery(notebookId, first.current.file.id).queryKey });
        }
      }),
      onCodexGap(() => session.gap()),
      guardLeaving(made),
    ];
    return () => {
      for (const each of forget) each();
      made.destroy();
    };
  }, [notebookId, isReadOnly]);
  return controller;
}

/** Warns before the page closes, but only if the browser has not stored the text. */
function guardLeaving({ session }: NoteController): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  window.addEventListener('beforeunload', (event) => !session.isSafe() && event.preventDefault(), { signal });
  window.addEventListener('pagehide', () => session.isSafe(), { signal });
  return () => stop.abort();
}

/** Returns the commit of the file's last event, or the file's last known commit if that event cannot be read. */
async function committedVersion(notebookId: string, file: NoteFile): Promise<string | null> {
  if (file.last_event_id === null) return file.last_commit_hash;
  try {
    return (await noteServer(notebookId, file.id).event(file.last_event_id)).commit_sha;
  } catch {
    return file.last_commit_hash;
  }
}
