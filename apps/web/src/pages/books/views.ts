import { type ComponentType, lazy } from 'react';

import type { Rights } from '../../api/types.ts';
import type { ViewProps } from './view-props.ts';

export interface BooksView {
  /** Name in the address: `/books/NAME`. */
  readonly name: string;
  readonly label: string;
  /** Right required to see the view. */
  readonly needs?: keyof Rights['can'];
  readonly View: ComponentType<ViewProps>;
}

type Load = () => Promise<{ readonly View: ComponentType<ViewProps> }>;

/** Loads a view when it is first opened. */
function later(load: Load): ComponentType<ViewProps> {
  return lazy(async () => ({ default: (await load()).View }));
}

export const views: readonly BooksView[] = [
  { name: '', label: 'Home', View: later(() => import('./home/home-view.tsx')) },
  { name: 'library', label: 'Library', View: later(() => import('./library/library-view.tsx')) },
  {
    name: 'authors',
    label: 'Authors',
    View: later(async () => ({ View: (await import('./groups/group-views.tsx')).AuthorsView })),
  },
  {
    name: 'series',
    label: 'Series',
    View: later(async () => ({ View: (await import('./groups/group-views.tsx')).SeriesView })),
  },
  {
    name: 'narrators',
    label: 'Narrators',
    View: later(async () => ({ View: (await import('./groups/group-views.tsx')).NarratorsView })),
  },
  {
    name: 'genres',
    label: 'Genres',
    View: later(async () => ({ View: (await import('./groups/group-views.tsx')).GenresView })),
  },
  { name: 'playlists', label: 'Playlists', View: later(() => import('./playlists/playlists-view.tsx')) },
  { name: 'statistics', label: 'Statistics', View: later(() => import('./statistics/statistics-view.tsx')) },
  {
    name: 'organise',
    label: 'Organise',
    needs: 'manage',
    View: later(() => import('./files/organise-view.tsx')),
  },
  { name: 'merge', label: 'Merge files', needs: 'manage', View: later(() => import('./files/merge-view.tsx')) },
  {
    name: 'duplicates',
    label: 'Duplicates',
    needs: 'manage',
    View: later(() => import('./files/duplicates-view.tsx')),
  },
  {
    name: 'operations',
    label: 'Operations',
    needs: 'manage',
    View: later(() => import('./operations/operations-view.tsx')),
  },
  { name: 'rights', label: 'Access', needs: 'manage', View: later(() => import('./rights/rights-view.tsx')) },
];

/** One book; its id takes the place of a view name in the address. */
export const BookPage: ComponentType<{ readonly id: string }> = lazy(async () => ({
  default: (await import('./book/book-view.tsx')).BookView,
}));
