import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { noteQuery } from '../../../api/codex-queries.ts';
import { Loaded } from '../../../ui/loaded.tsx';

interface NoteEditorProps {
  readonly notebookId: string;
  readonly fileId: string;
}

export function NoteEditor({ notebookId, fileId }: NoteEditorProps): ReactNode {
  const note = useQuery(noteQuery(notebookId, fileId));
  return <Loaded query={note}>{({ path }) => <p className="break-words">{path}</p>}</Loaded>;
}
