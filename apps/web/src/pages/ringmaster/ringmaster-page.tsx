import { useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';

import { followStream } from '../../live/streams.ts';
import { Overview } from './overview.tsx';
import { placeStream } from './place-stream.ts';
import { PlaceView } from './place-view.tsx';
import { TaskView } from './task-view.tsx';

interface Params {
  readonly place?: string;
  readonly view?: string;
  readonly id?: string;
}

/** All places, one of them in one of its views, or one of its tasks. */
export function Component(): ReactNode {
  const { place, view, id }: Params = useParams({ strict: false });
  useEffect(() => (place === undefined ? undefined : followStream(placeStream(place), 'page')), [place]);
  if (place === undefined) return <Overview />;
  return id === undefined ? (
    <PlaceView key={place} place={place} view={view ?? 'board'} />
  ) : (
    <TaskView key={`${place} ${id}`} place={place} id={id} />
  );
}
