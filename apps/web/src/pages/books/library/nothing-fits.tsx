import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';

import type { BookFilter } from '../../../api/audiobooks-queries.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';

export function NothingFits({ filter }: { readonly filter: BookFilter }): ReactNode {
  const { sort: _sort, desc: _desc, ...narrowing } = filter;
  const isNarrowed = Object.keys(narrowing).length > 0;
  return (
    <Card isFlush>
      <EmptyState icon={SearchX} title={isNarrowed ? 'No book fits' : 'No book yet'}>
        <p>
          {isNarrowed
            ? 'Search for part of a title or a name, or look at all books.'
            : 'Books appear here as soon as a scan has found them.'}
        </p>
        {isNarrowed && (
          <Link to="/books/$view" params={{ view: 'library' }} search={{}} className={buttonClass()}>
            All books
          </Link>
        )}
      </EmptyState>
    </Card>
  );
}
