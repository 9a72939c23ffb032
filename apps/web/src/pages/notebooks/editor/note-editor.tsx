// oxlint-disable-next-line import/no-unassigned-import -- a style sheet exports nothing
import './note-editor.css';

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';

import { noteQuery } from '../../../api/codex-queries.ts';
import type { NoteFile } from '../../../api/types.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { FileCard } from './file-card.tsx';
import { noteServer } from './save/note-server.ts';
import { TextEditor } from './text-editor.tsx';

interface NoteEditorProps {
  readonly notebookId: string;
  readonly fileId: string;
}

/** Longer texts are offered for download. */
const LONGEST = 8_000_000;

/** A file of a notebook: an editor, a preview or a download. */
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

/** Reads the text once; the editor keeps it current from then on. */
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
