import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { NoteFile } from '../../../api/types.ts';
import { DetailsPart } from './details-part.tsx';
import { FileFacts } from './file-facts.tsx';
import { Links } from './links.tsx';
import { Properties } from './properties.tsx';

export function NoteDetails({ id, note }: { readonly id: string; readonly note: NoteFile }): ReactNode {
  return (
    <aside aria-label="Details" className="grid min-w-0 content-start gap-5 text-[13px]">
      <Properties id={id} note={note} />
      {note.tags.length > 0 && (
        <DetailsPart title="Tags">
          <ul className="flex flex-wrap gap-1.5">
            {note.tags.map((tag) => (
              <li key={tag}>
                <Link
                  to="/notebooks/$id/search"
                  params={{ id }}
                  search={{ tag }}
                  className="rounded-md border border-line bg-sunken px-1.5 py-0.5 text-xs text-muted hover:text-text"
                >
                  #{tag}
                </Link>
              </li>
            ))}
          </ul>
        </DetailsPart>
      )}
      <Links id={id} fileId={note.id} />
      <FileFacts note={note} />
    </aside>
  );
}
