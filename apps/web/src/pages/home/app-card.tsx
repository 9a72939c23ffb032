import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import type { App } from './apps.ts';

/** An application, for those who do not see its database or where it has none. */
export function AppCard({ app: { title, what, page, Glance } }: { readonly app: App }): ReactNode {
  return (
    <Card
      title={title}
      description={what}
      actions={
        <Link to={page?.path ?? '/'} className={buttonClass('primary', 'small')}>
          Open {title.toLowerCase()}
        </Link>
      }
    >
      {Glance !== undefined && <Glance />}
    </Card>
  );
}
