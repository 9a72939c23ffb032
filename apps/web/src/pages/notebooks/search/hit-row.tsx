import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { SearchHit } from '../../../api/types.ts';
import { Tag } from '../../../ui/badge.tsx';
import { Time } from '../../../ui/time.tsx';

const TAGS_SHOWN = 4;

export function HitRow({ id, hit: { file, snippet } }: { readonly id: string; readonly hit: SearchHit }): ReactNode {
  return (
    <Link
      to="/notebooks/$id/files/$file"
      params={{ id, file: file.id }}
      data-row
      className="grid gap-1 px-5 py-3 -outline-offset-2 hover:bg-sunken focus:bg-sunken"
    >
      <span className="flex flex-wrap items-baseline gap-x-3">
        <span className="min-w-0 font-medium break-words">{file.title ?? file.filename}</span>
        <span className="min-w-0 flex-1 basis-40 truncate text-[13px] text-muted">{file.path}</span>
        <span className="text-[13px] text-muted">
          <Time at={file.updated_at} />
        </span>
      </span>
      {snippet.length > 0 && (
        <span className="line-clamp-2 text-[13px] break-words text-muted">
          {snippet.map(({ text, hit }, at) =>
            hit ? (
              <mark key={at} className="rounded-xs bg-warn-soft font-medium text-warn">
                {text}
              </mark>
            ) : (
              text
            ),
          )}
        </span>
      )}
      {file.tags.length > 0 && (
        <span className="flex flex-wrap gap-1.5">
          {file.tags.slice(0, TAGS_SHOWN).map((tag) => (
            <Tag key={tag}>#{tag}</Tag>
          ))}
        </span>
      )}
    </Link>
  );
}
