import type { ReactNode } from 'react';

import { useStore } from '../../../lib/store.ts';
import { downloads } from '../../../offline/downloads.ts';
import { ListCard } from '../../../ui/page.tsx';
import { BookLine, PlayButton } from '../book-list.tsx';

/** Shows the books that play without the server. */
export function DownloadsShelf(): ReactNode {
  const { ready } = useStore(downloads);
  if (ready.size === 0) return null;
  return (
    <ListCard
      title="On this device"
      description="These books play without the server. Signing out removes them from this device."
      rows={[...ready.values()]}
      keyOf={({ book }) => book.id}
      render={({ book }) => (
        <BookLine book={book}>
          <PlayButton book={book} />
        </BookLine>
      )}
    />
  );
}
