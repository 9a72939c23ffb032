import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { Book, CreatedFeed } from '../../../api/types.ts';
import { feedsQuery } from '../../../api/audiobooks-queries.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Time } from '../../../ui/time.tsx';

/** Private links under which a podcast app can play this book. Each can be revoked. */
export function FeedDialog({ book, onClose }: { readonly book: Book; readonly onClose: () => void }): ReactNode {
  const feeds = useQuery(feedsQuery);
  const make = useAction<void, CreatedFeed>({
    failed: 'Could not create the link',
    touches: ['audiobooks'],
    run: async () => (await booksApi.POST('/feeds', { body: { kind: 'book', book: book.id } })).data,
  });
  return (
    <Dialog
      title="Listen in a podcast app"
      description="A private link to this book. Anyone with the link can listen, until you revoke it."
      isOpen
      onClose={onClose}
    >
      <div className="grid gap-4">
        {make.data === undefined ? (
          <div>
            <Button variant="primary" isBusy={make.isPending} onClick={() => make.mutate()}>
              Create link
            </Button>
          </div>
        ) : (
          <Made url={new URL(make.data.url, location.href).href} />
        )}
        <Loaded query={feeds}>
          {(all) => {
            const own = all.filter(({ book_id: id }) => id === book.id);
            return (
              own.length > 0 && (
                <section aria-label="Links to this book" className="grid gap-1">
                  <h3 className="text-[13px] font-medium">Links to this book</h3>
                  <ul className="divide-y divide-line rounded-lg border border-line">
                    {own.map((feed) => (
                      <Line key={feed.id} id={feed.id} at={feed.created_at} />
                    ))}
                  </ul>
                </section>
              )
            );
          }}
        </Loaded>
      </div>
    </Dialog>
  );
}

function Made({ url }: { readonly url: string }): ReactNode {
  return (
    <div className="grid gap-2">
      <p className="font-medium">Copy the link now. It is shown only once.</p>
      <div className="flex items-center gap-2 rounded-lg bg-sunken p-3 font-mono text-[13px]">
        <code className="min-w-0 flex-1 break-all">{url}</code>
        <CopyButton text={url} label="Copy link" />
      </div>
    </div>
  );
}

function Line({ id, at }: { readonly id: string; readonly at: string }): ReactNode {
  const revoke = useAction({
    failed: 'Could not revoke the link',
    done: () => 'Link revoked',
    touches: ['audiobooks'],
    run: () => booksApi.DELETE('/feeds/{feed}', { params: { feed: id } }),
  });
  return (
    <li className="flex items-center gap-3 px-3 py-2">
      <span className="min-w-0 flex-1 text-[13px]">
        Created <Time at={at} />
      </span>
      <Button size="small" variant="danger" isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
        Revoke link
      </Button>
    </li>
  );
}
