import { Link } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';

import type { Book } from '../../../api/types.ts';
import { byteSize } from '../../../lib/format.ts';
import { Card } from '../../../ui/card.tsx';
import { Time } from '../../../ui/time.tsx';
import { lengthText } from '../book-text.ts';

export function Facts({ book }: { readonly book: Book }): ReactNode {
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Length', lengthText(book.duration_ms)],
    ['Published', joined([book.year === null ? null : String(book.year), book.publisher])],
    ['Edition', book.edition],
    ['Language', book.language === null ? null : <Chosen name="language" value={book.language} />],
    ['Genres', book.genres.length === 0 ? null : <Several name="genre" values={book.genres} />],
    ['Tags', book.tags.length === 0 ? null : <Several name="tag" values={book.tags} />],
    ['ISBN', book.isbn13 ?? book.isbn10],
    ['ASIN', book.asin],
    ['Size', byteSize(book.size_bytes)],
    ['Added', <Time key="added" at={book.added_at} />],
    ['Folder', book.folder === null ? null : <span className="font-mono text-xs break-all">{book.folder}</span>],
    ['Locked', book.locks.length === 0 ? null : <Locked fields={book.locks} />],
  ];
  return (
    <Card title="Details">
      <dl className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-4 gap-y-2">
        {facts
          .filter(([, value]) => value !== null)
          .map(([name, value]) => (
            <div key={name} className="col-span-2 grid grid-cols-subgrid">
              <dt className="text-[13px] text-muted">{name}</dt>
              <dd dir="auto" className="min-w-0 break-words">
                {value}
              </dd>
            </div>
          ))}
      </dl>
    </Card>
  );
}

function joined(parts: readonly (string | null)[]): string | null {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? null : known.join(', ');
}

function Chosen({ name, value }: { readonly name: string; readonly value: string }): ReactNode {
  return (
    <Link
      to="/books/$view"
      params={{ view: 'library' }}
      search={{ [name]: value }}
      className="underline decoration-line-strong underline-offset-2 hover:decoration-current"
    >
      {value}
    </Link>
  );
}

function Several({ name, values }: { readonly name: string; readonly values: readonly string[] }): ReactNode {
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1">
      {values.map((value) => (
        <Chosen key={value} name={name} value={value} />
      ))}
    </span>
  );
}

function Locked({ fields }: { readonly fields: readonly string[] }): ReactNode {
  return (
    <span className="flex items-start gap-1.5">
      <Lock className="mt-1 size-3.5 shrink-0 text-muted" aria-hidden />
      <span>{fields.join(', ')}</span>
    </span>
  );
}
