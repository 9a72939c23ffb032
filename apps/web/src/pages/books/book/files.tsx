import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { rightsQuery } from '../../../api/audiobooks-queries.ts';
import type { Book } from '../../../api/types.ts';
import { byteSize, clockTime, count } from '../../../lib/format.ts';
import { Card } from '../../../ui/card.tsx';

const SHORT = 8;

export function Files({ book }: { readonly book: Book }): ReactNode {
  const mayDownload = useQuery(rightsQuery).data?.can.download ?? false;
  const [isOpen, setOpen] = useState(false);
  const { segments } = book;
  if (segments.length === 0) return null;
  const shown = isOpen ? segments : segments.slice(0, SHORT);
  return (
    <Card title="Files" description={`${count(segments.length, 'file')}, ${byteSize(book.size_bytes)}`} isFlush>
      <ul className="divide-y divide-line border-t border-line">
        {shown.map(({ id, index, start_ms: start, duration_ms: length, size_bytes: size, format, url }) => (
          <li key={id} className="flex items-center gap-3 px-5 py-1.5 text-[13px]">
            <span className="w-6 shrink-0 text-right text-muted tabular-nums">{index + 1}</span>
            <span className="min-w-0 flex-1 tabular-nums">
              {clockTime(start)} – {clockTime(start + length)}
            </span>
            <span className="text-muted tabular-nums">
              {format} · {byteSize(size)}
            </span>
            {mayDownload && (
              <a
                href={url.replace(/\/stream$/u, '/download')}
                download
                aria-label={`Download file ${index + 1}`}
                title={`Download file ${index + 1}`}
                className="grid size-8 shrink-0 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-text"
              >
                <Download className="size-4" aria-hidden />
              </a>
            )}
          </li>
        ))}
      </ul>
      {segments.length > SHORT && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="w-full border-t border-line px-5 py-2.5 text-left text-[13px] font-medium text-accent-strong -outline-offset-2 hover:bg-sunken"
        >
          {isOpen ? 'Show fewer' : `Show all ${segments.length}`}
        </button>
      )}
    </Card>
  );
}
