import { type ComponentType, lazy } from 'react';

import type { Rights } from '../../api/audiobooks-types.ts';

export interface ViewProps {
  /** What follows the name of the view in the address: one author, one series, one playlist. */
  readonly id: string | undefined;
}

export interface BooksView {
  /** As in the address: `/books/NAME`. */
  readonly name: string;
  readonly label: string;
  /** Whoever may not do this does not see it. */
  readonly needs?: keyof Rights['can'];
  readonly View: ComponentType<ViewProps>;
}

type Load = () => Promise<{ readonly View: ComponentType<ViewProps> }>;

/** Each comes when it is looked at first. */
function later(load: Load): ComponentType<ViewProps> {
  return lazy(async () => ({ default: (await load()).View }));
}

export const views: readonly BooksView[] = [
  {
    name: 'playlists',
    label: 'Playlists',
    View: later(() => import('./playlists/playlists-view.tsx')),
  },
  {
    name: 'statistics',
    label: 'Statistics',
    View: later(() => import('./statistics/statistics-view.tsx')),
  },
];
