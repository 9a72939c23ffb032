import type { ReactNode } from 'react';

import type { NoteFile } from '../../../api/codex-client.ts';
import { FileFacts } from './file-facts.tsx';

/** What is known about a file, beside its text. */
export function NoteDetails({ note }: { readonly id: string; readonly note: NoteFile }): ReactNode {
  return (
    <aside aria-label="Details" className="grid min-w-0 content-start gap-5 text-[13px]">
      <FileFacts note={note} />
    </aside>
  );
}
