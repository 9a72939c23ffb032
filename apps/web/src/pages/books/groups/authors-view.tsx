import type { ReactNode } from 'react';

import type { ViewProps } from '../view-props.ts';
import { AuthorView } from './author-view.tsx';
import { GroupsPage } from './groups-page.tsx';

export function View({ id }: ViewProps): ReactNode {
  if (id !== undefined) return <AuthorView id={id} />;
  return (
    <GroupsPage
      kind="authors"
      title="Authors"
      description="Whoever wrote something, under one name each."
      target={({ id: author }) => ({ view: 'authors', id: author })}
    />
  );
}
