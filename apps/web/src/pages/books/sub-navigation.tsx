import type { ReactNode } from 'react';

import { ViewTab } from '../../ui/view-tab.tsx';
import { ViewTabs } from '../../ui/view-tabs.tsx';
import type { BooksView } from './views.ts';

interface SubNavigationProps {
  readonly views: readonly BooksView[];
  readonly current: string | undefined;
}

/** The views of the books, above each of them. */
export function SubNavigation({ views, current }: SubNavigationProps): ReactNode {
  return (
    <ViewTabs label="Audiobooks" current={current}>
      {views.map(({ name, label }) => (
        <li key={name}>
          <ViewTab to={name === '' ? '/books' : `/books/${name}`} search={{}} isCurrent={name === current}>
            {label}
          </ViewTab>
        </li>
      ))}
    </ViewTabs>
  );
}
