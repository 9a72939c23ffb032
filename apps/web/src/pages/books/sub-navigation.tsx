import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { BooksView } from './views.ts';

interface SubNavigationProps {
  readonly views: readonly BooksView[];
  readonly current: string | undefined;
}

/** The views of the books, above each of them. */
export function SubNavigation({ views, current }: SubNavigationProps): ReactNode {
  return (
    <nav aria-label="Audiobooks" className="overflow-x-auto border-b border-line print:hidden">
      <ul className="flex">
        {views.map(({ name, label }) => (
          <li key={name}>
            <Link
              to={name === '' ? '/books' : `/books/${name}`}
              search={{}}
              aria-current={name === current ? 'page' : undefined}
              className={`block border-b-2 px-2.5 py-2 text-[13px] font-medium whitespace-nowrap -outline-offset-2 ${
                name === current ? 'border-accent text-accent-strong' : 'border-transparent text-muted hover:text-text'
              }`}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
