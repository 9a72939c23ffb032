import { useNavigate } from '@tanstack/react-router';
import { Bold, Italic, Link2, ListTodo, Paperclip, Table } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { codexApi } from '../../../api/clients.ts';
import type { NoteFile } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { count } from '../../../lib/format.ts';
import { useMay } from '../../../lib/permissions.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';
import { useStore } from '../../../lib/store.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { ConflictView } from './conflict/conflict-view.tsx';
import { isMarkdown, type NoteController } from './note-controller.ts';
import { Preview } from './preview/preview.tsx';
import { SaveState } from './save-state.tsx';
import type { ReadNote } from './save/note-server.ts';
import { useController } from './use-controller.ts';
import { insertLink, insertTable, toggleBold, toggleItalic, toggleTask } from './write/markdown-commands.ts';

type Arrangement = 'write' | 'both' | 'read';

const arrangements: readonly { readonly value: Arrangement; readonly label: string }[] = [
  { value: 'write', label: 'Write' },
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
  const arrangement = hasPreview ? chosen : 'write';
  const choose = (next: Arrangement): void => {
    setChosen(next);
    writeStored(ARRANGEMENT_KEY, next);
  };
  if (controller === undefined) return null;
  return (
    <article aria-label={file.path} className="note-editor">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-2 py-1">
        {hasPreview && !isReadOnly && arrangement !== 'read' && <Toolbar controller={controller} />}
        <span className="flex-1" />
        <SaveState
          status={controller.session.status}
          gitReason={file.git_tracked ? null : file.git_reason}
          onRetry={() => controller.session.saveNow()}
        />
        {hasPreview && <Segments label="View" value={arrangement} options={arrangements} onChange={choose} />}
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
        {arrangement !== 'write' && <Preview controller={controller} notebookId={notebookId} notePath={file.path} />}
      </div>
    </>
  );
}

/** The editor is created once and only attached here, so that changing the layout keeps its state. */
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
      <span className="ml-auto hidden sm:inline">Esc, then Tab leaves the editor</span>
    </footer>
  );
}

interface GoneNoticeProps {
  readonly controller: NoteController;
  readonly notebookId: string;
  readonly path: string;
}

/** The open note was deleted elsewhere; its text can be written again. */
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
  { label: 'Link (Ctrl K)', icon: Link2, command: insertLink },
  { label: 'Toggle task (Ctrl Enter)', icon: ListTodo, command: toggleTask },
  { label: 'Table', icon: Table, command: insertTable },
] as const;

function Toolbar({ controller }: { readonly controller: NoteController }): ReactNode {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div role="group" aria-label="Format" className="flex flex-wrap">
      {tools.map(({ label, icon: Icon, command }) => (
        <IconButton key={label} label={label} onClick={() => controller.run(command)}>
          <Icon className="size-4" aria-hidden />
        </IconButton>
      ))}
      <IconButton label="Attach file" onClick={() => picker.current?.click()}>
        <Paperclip className="size-4" aria-hidden />
      </IconButton>
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
