import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';

import type { NoteFile } from '../../../api/types.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { FileCard } from './file-card.tsx';
import { noteServer } from './save/note-server.ts';
import { TextEditor } from './text-editor.tsx';

interface TextNoteProps {
  readonly notebookId: string;
  readonly file: NoteFile;
}

/** Reads a text once; from then on it is the editor that keeps it current. */
export function TextNote({ notebookId, file }: TextNoteProps): ReactNode {
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
