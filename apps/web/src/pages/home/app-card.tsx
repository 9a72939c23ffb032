import type { ReactNode } from 'react';

import type { App } from './apps.ts';
import { OpenButton, Tile } from './tile.tsx';

/** An application, for those who do not see its database or where it has none. */
export function AppCard({ app: { title, what, page, Glance } }: { readonly app: App }): ReactNode {
  return (
    <Tile title={title} what={what} doors={<OpenButton path={page?.path ?? '/'} title={title} />}>
      {Glance !== undefined && <Glance />}
    </Tile>
  );
}
