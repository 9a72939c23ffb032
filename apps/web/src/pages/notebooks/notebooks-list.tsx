import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { notebooksQuery } from '../../api/codex-queries.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';

export function NotebooksList(): ReactNode {
  const notebooks = useQuery(notebooksQuery);
  return (
    <Page title="Notebooks" description="Folders of plain files that stay yours, with a history of every change.">
      <Loaded query={notebooks}>
        {(all) => (
          <ul className="grid gap-3">
            {all.map(({ id, name }) => (
              <li key={id}>
                <Link to="/notebooks/$id" params={{ id: String(id) }}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Page>
  );
}
