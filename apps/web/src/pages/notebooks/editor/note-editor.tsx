// oxlint-disable-next-line import/no-unassigned-import -- a style sheet gives nothing
import './note-editor.css';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { noteQuery } from '../../../api/codex-queries.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { FileCard } from './file-card.tsx';
import { TextNote } from './text-note.tsx';

interface NoteEditorProps {
  readonly notebookId: string;
  readonly fileId: string;
}

/** Longer texts are for other programs. */
const LONGEST = 8_000_000;

/** One file of a notebook: text to be written, what a browser can show, or something to take away. */
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
