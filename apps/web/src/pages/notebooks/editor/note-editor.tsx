// oxlint-disable-next-line import/no-unassigned-import -- a style sheet exports nothing
import './note-editor.css';

import { useQuery } from '@tanstack/react-query';
import { Download, File } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';

import { noteQuery } from '../../../api/codex-queries.ts';
import type { NoteFile } from '../../../api/types.ts';
import { byteSize } from '../../../lib/format.ts';
import { Time } from '../../../ui/badge.tsx';
import { buttonClass } from '../../../ui/button.tsx';
import { Loaded } from '../../../ui/page.tsx';
import { contentUrl, imageUrlOf } from './preview/notebook-files.ts';
import { noteServer } from './save/note-server.ts';
import { TextEditor } from './text-editor.tsx';

interface NoteEditorProps {
  readonly notebookId: string;
  readonly fileId: string;
}

/** In bytes. Larger files are not opened in the editor, but offered for download. */
const LONGEST = 8_000_000;

export function NoteEditor({ notebookId, fileId }: NoteEditorProps): ReactNode {
  const note = useQuery(noteQuery(notebookId, fileId));
  return (
    <Loaded query={note}>
      {(file) => {
        const isMedia = /^(?:image|audio|video)\/|^application\/(?:pdf|zip)$/u.test(file.content_type);
        return isMedia || file.size > LONGEST ? (
          <FileCard file={file} />
        ) : (
          <TextNote key={fileId} notebookId={notebookId} file={file} />
        );
      }}
    </Loaded>
  );
}

interface TextNoteProps {
  readonly notebookId: string;
  readonly file: NoteFile;
}

/** Reads the text once. Later changes reach the editor through the event stream. */
function TextNote({ notebookId, file }: TextNoteProps): ReactNode {
  const server = useMemo(() => noteServer(notebookId, file.id), [notebookId, file.id]);
  const query = useQuery({
    queryKey: ['note-text', notebookId, file.id],
    queryFn: () => server.read(),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return (
    <Loaded query={query}>
      {(opened) =>
        typeof opened === 'string' ? (
          <FileCard file={file} />
        ) : (
          <TextEditor notebookId={notebookId} file={file} opened={opened} />
        )
      }
    </Loaded>
  );
}

function FileCard({ file }: { readonly file: NoteFile }): ReactNode {
  return (
    <article className="grid gap-4" aria-label={file.path}>
      <header className="flex flex-wrap items-center gap-3">
        <span className="grid size-10 place-items-center rounded-lg bg-accent-soft text-accent">
          <File className="size-5" aria-hidden />
        </span>
        <div className="min-w-0 flex-1 basis-48">
          <h2 className="font-semibold break-words">{file.filename}</h2>
          <p className="text-[13px] text-muted">
            {byteSize(file.size)} · {file.content_type} · <Time at={file.updated_at} />
          </p>
        </div>
        <a href={contentUrl(file)} download={file.filename} className={buttonClass()}>
          <Download className="size-4" aria-hidden />
          Download
        </a>
      </header>
      <Shown file={file} />
    </article>
  );
}

function Shown({ file }: { readonly file: NoteFile }): ReactNode {
  const [kind] = file.content_type.split('/');
  if (kind === 'image') return <Picture file={file} />;
  // The user's files have no captions.
  if (kind === 'audio') return <audio controls preload="metadata" src={contentUrl(file)} className="w-full" />;
  if (kind === 'video') {
    return <video controls preload="metadata" src={contentUrl(file)} className="max-h-[70dvh] max-w-full rounded-lg" />;
  }
  return null;
}

function Picture({ file }: { readonly file: NoteFile }): ReactNode {
  const query = useQuery({
    queryKey: ['codex', String(file.notebook_id), 'picture', file.id, file.hash],
    queryFn: async () => (await imageUrlOf(file)) ?? contentUrl(file),
  });
  return (
    <Loaded query={query}>
      {(url) => (
        <img src={url} alt={file.filename} className="max-h-[70dvh] max-w-full rounded-lg border border-line" />
      )}
    </Loaded>
  );
}
