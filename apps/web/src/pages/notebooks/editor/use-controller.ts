import { useEffect, useRef, useState } from 'react';

import type { NoteFile } from '../../../api/types.ts';
import { noteQuery } from '../../../api/codex-queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { say } from '../../../lib/toasts.ts';
import { onCodexEvents, onCodexGap } from '../codex-stream.ts';
import { NoteController } from './note-controller.ts';
import { noteServer, type ReadNote } from './save/note-server.ts';

interface Opening {
  readonly notebookId: string;
  readonly file: NoteFile;
  readonly opened: ReadNote;
  readonly isReadOnly: boolean;
}

/** The controller of the open note. Later reads of the file do not replace its text. */
export function useController({ notebookId, file, opened, isReadOnly }: Opening): NoteController | undefined {
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

/** Warns only when the browser has not stored the text. */
function guardLeaving({ session }: NoteController): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  window.addEventListener('beforeunload', (event) => !session.isSafe() && event.preventDefault(), { signal });
  window.addEventListener('pagehide', () => session.isSafe(), { signal });
  return () => stop.abort();
}

/** Old events are deleted; then the file's last commit counts. */
async function committedVersion(notebookId: string, file: NoteFile): Promise<string | null> {
  if (file.last_event_id === null) return file.last_commit_hash;
  try {
    return (await noteServer(notebookId, file.id).event(file.last_event_id)).commit_sha;
  } catch {
    return file.last_commit_hash;
  }
}
