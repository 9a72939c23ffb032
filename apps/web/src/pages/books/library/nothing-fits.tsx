import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';

import type { BookFilter } from '../../../api/types.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { NoBookYet } from '../no-book-yet.tsx';

export function NothingFits({ filter }: { readonly filter: BookFilter }): ReactNode {
  const { sort: _sort, desc: _desc, ...narrowing } = filter;
  const isNarrowed = Object.keys(narrowing).length > 0;
  return (
    <Card isFlush>
      {isNarrowed ? (
        <EmptyState icon={SearchX} title="No book fits">
          <p>Search for part of a title or a name, or look at all books.</p>
          <Link to="/books/$view" params={{ view: 'library' }} search={{}} className={buttonClass()}>
            All books
          </Link>
        </EmptyState>
      ) : (
        <NoBookYet />
      )}
    </Card>
  );
}
