import { useQuery } from '@tanstack/react-query';
import { Headphones } from 'lucide-react';
import type { ReactNode } from 'react';

import { librariesQuery, rightsQuery, shelvesQuery } from '../../../api/audiobooks-queries.ts';
import type { Shelves } from '../../../api/types.ts';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { RunningOperations } from '../operations/running.tsx';
import { AddLibrary } from './add-library.tsx';
import { ContinueShelf } from './continue-shelf.tsx';
import { LibrariesCard } from './libraries-card.tsx';
import { Shelf } from './shelf.tsx';

export function View(): ReactNode {
  const libraries = useQuery(librariesQuery);
  const shelves = useQuery(shelvesQuery);
  const manages = useQuery(rightsQuery).data?.can.manage ?? false;
  return (
    <Page title="Audiobooks">
      <RunningOperations />
      <Loaded query={libraries}>
        {(all) =>
          all.length === 0 ? (
            <NoLibrary manages={manages} />
          ) : (
            <>
              <Loaded query={shelves}>{(found) => <AllShelves shelves={found} />}</Loaded>
              <LibrariesCard libraries={all} manages={manages} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function AllShelves({ shelves }: { readonly shelves: Shelves }): ReactNode {
  const isEmpty = Object.values(shelves).every((books: readonly unknown[]) => books.length === 0);
  if (isEmpty) {
    return (
      <Card isFlush>
        <EmptyState icon={Headphones} title="No book yet">
          <p>Books appear here as soon as a scan has found them.</p>
        </EmptyState>
      </Card>
    );
  }
  return (
    <>
      <ContinueShelf books={shelves.continue} />
      <Shelf title="Next in your series" books={shelves.next_in_series} />
      <Shelf title="Recently added" books={shelves.recently_added} all={{ sort: 'added' }} />
      <Shelf title="Finished" books={shelves.finished} all={{ state: 'finished' }} />
    </>
  );
}

function NoLibrary({ manages }: { readonly manages: boolean }): ReactNode {
  return (
    <Card isFlush>
      <EmptyState icon={Headphones} title={manages ? 'Where are your audiobooks?' : 'No library yet'}>
        {manages ? (
          <>
            <p>
              Name the folder on the server that holds them. They are read where they are; nothing in it is moved or
              changed until you ask for it.
            </p>
            <div className="mt-2 w-[min(28rem,78vw)] text-left text-text">
              <AddLibrary />
            </div>
          </>
        ) : (
          <p>Whoever manages this server has not added a library that you may listen to. Ask them.</p>
        )}
      </EmptyState>
    </Card>
  );
}
