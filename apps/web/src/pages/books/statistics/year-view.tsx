import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, Download, Printer } from 'lucide-react';
import { type ReactNode, useRef } from 'react';

import { useAction } from '../../../api/use-action.ts';
import type { ListeningYear } from '../../../api/types.ts';
import { count, dayText } from '../../../lib/format.ts';
import { useMe } from '../../../lib/permissions.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { lengthText } from '../book-text.ts';
import { timeOf } from './calendar.ts';
import { Poster } from './poster.tsx';
import { savePicture } from './save-picture.ts';
import { yearQuery } from './stats-queries.ts';

/** The poster of one year, to print or share. */
export function YearView({ year }: { readonly year: number }): ReactNode {
  const review = useQuery(yearQuery(year));
  const name = useMe()?.user.username ?? '';
  const poster = useRef<SVGSVGElement>(null);
  const save = useAction({
    failed: 'Could not save the image',
    run: async () => {
      if (poster.current !== null) await savePicture(poster.current, `${year}-in-audiobooks.png`);
    },
  });
  return (
    <Page
      title={`Your ${year}`}
      actions={
        <div className="flex flex-wrap gap-2 print:hidden">
          <YearLink year={year - 1} label="Previous year">
            <ChevronLeft className="size-4" aria-hidden />
          </YearLink>
          <YearLink year={year + 1} label="Next year">
            <ChevronRight className="size-4" aria-hidden />
          </YearLink>
          <Button icon={<Printer className="size-4" aria-hidden />} onClick={() => window.print()}>
            Print poster
          </Button>
          <Button
            variant="primary"
            icon={<Download className="size-4" aria-hidden />}
            isBusy={save.isPending}
            onClick={() => save.mutate()}
          >
            Save image
          </Button>
        </div>
      }
    >
      <Loaded query={review}>
        {(found) => (
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] print:block">
            <Poster review={found} name={name} ref={poster} />
            <div className="print:hidden">
              <InWords review={found} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

interface YearLinkProps {
  readonly year: number;
  readonly label: string;
  readonly children: ReactNode;
}

function YearLink({ year, label, children }: YearLinkProps): ReactNode {
  return (
    <Link
      to="/books/$view/$id"
      params={{ view: 'statistics', id: String(year) }}
      aria-label={`${label}, ${year}`}
      title={label}
      className={buttonClass()}
    >
      {children}
    </Link>
  );
}

/** The poster's content for screen readers, with details that it has no room for. */
function InWords({ review }: { readonly review: ListeningYear }): ReactNode {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Listened', lengthText(review.listen_seconds * 1_000)],
    ['Books finished', count(review.finished)],
    ['Listening days', count(review.days_listened)],
    ['Longest streak', count(review.streak_days, 'day')],
    [
      'Longest day',
      review.longest_day === null
        ? undefined
        : `${dayText(timeOf(review.longest_day.date))}, ${lengthText(review.longest_day.seconds * 1_000)}`,
    ],
    ['Most listened author', review.authors[0]?.name],
    ['Most listened narrator', review.narrators[0]?.name],
    ['First book', review.first_book?.title],
    ['Last book', review.last_book?.title],
    ...review.books
      .slice(0, 5)
      .map(
        ({ book, seconds }, at) =>
          [`Book ${at + 1}`, `${book?.title ?? 'Deleted book'}, ${lengthText(seconds * 1_000)}`] as const,
      ),
  ];
  return (
    <Card title="Summary">
      <dl className="grid gap-2">
        {facts
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => (
            <div key={name} className="flex flex-wrap justify-between gap-x-4">
              <dt className="text-muted">{name}</dt>
              <dd dir="auto" className="font-medium break-words">
                {value}
              </dd>
            </div>
          ))}
      </dl>
    </Card>
  );
}
