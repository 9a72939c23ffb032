import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import { createLink, type LinkComponent } from '@tanstack/react-router';
import { ArrowLeft, CircleX, type LucideIcon } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useId, useState } from 'react';

import { reasonOf } from '../lib/error-reason.ts';
import { setTabTitle } from '../lib/tab-title.ts';
import { Button } from './button.tsx';

interface PageProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Header of a page; also sets the tab's title. */
export function Page({ title, description, actions, children }: PageProps): ReactNode {
  useEffect(() => {
    setTabTitle(title);
  }, [title]);
  return (
    <div className="mx-auto grid w-full max-w-6xl grid-cols-[minmax(0,1fr)] gap-6">
      <header className="flex flex-wrap items-end gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h1 dir="auto" className="text-left text-2xl font-semibold tracking-tight break-words">
            {title}
          </h1>
          {description !== undefined && <p className="mt-1 max-w-prose text-pretty text-muted">{description}</p>}
        </div>
        {actions}
      </header>
      {children}
    </div>
  );
}

interface CardProps {
  readonly title?: ReactNode;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Shows content without padding, such as a table or list. */
  readonly isFlush?: boolean;
}

export function Card({ title, description, actions, children, isFlush = false }: CardProps): ReactNode {
  const id = useId();
  return (
    <section
      className="min-w-0 overflow-hidden rounded-xl border border-line bg-surface"
      aria-labelledby={title === undefined ? undefined : id}
    >
      {title !== undefined && (
        <header className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 pt-4 pb-3">
          <div className="min-w-0 flex-1 basis-48">
            <h2 id={id} className="font-semibold">
              {title}
            </h2>
            {description !== undefined && <p className="text-[13px] text-muted">{description}</p>}
          </div>
          {actions}
        </header>
      )}
      <div className={isFlush ? '' : title === undefined ? 'p-5' : 'px-5 pb-5'}>{children}</div>
    </section>
  );
}

interface ListCardProps<Row> extends Omit<CardProps, 'isFlush' | 'children'> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly render: (row: Row) => ReactNode;
  readonly label?: string;
  /** Number of rows that are visible until the user requests all. */
  readonly limit?: number;
  readonly children?: ReactNode;
}

export function ListCard<Row>(props: ListCardProps<Row>): ReactNode {
  const { rows, keyOf, render, label, limit = rows.length, children, ...card } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <Card {...card} isFlush>
      {rows.length > 0 && (
        <ul aria-label={label} className="divide-y divide-line border-t border-line">
          {(isOpen ? rows : rows.slice(0, limit)).map((row) => (
            <li key={keyOf(row)}>{render(row)}</li>
          ))}
        </ul>
      )}
      {rows.length > limit && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="w-full border-t border-line px-5 py-2.5 text-left text-[13px] font-medium text-accent-strong -outline-offset-2 hover:bg-sunken"
        >
          {isOpen ? 'Show fewer' : `Show all ${rows.length}`}
        </button>
      )}
      {children}
    </Card>
  );
}

interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
}

/** Says what belongs on an empty page and how to add it. */
export function EmptyState({ icon: Icon, title, children }: EmptyStateProps): ReactNode {
  return (
    <div className="grid justify-items-center gap-2 px-6 py-12 text-center">
      <span className="grid size-11 place-items-center rounded-full bg-accent-soft text-accent">
        <Icon className="size-5" aria-hidden />
      </span>
      <p className="mt-1 font-semibold">{title}</p>
      <div className="grid max-w-md justify-items-center gap-3 text-pretty text-muted">{children}</div>
    </div>
  );
}

function Anchor({ children, ...rest }: ComponentProps<'a'>): ReactNode {
  return (
    <a {...rest} className="flex w-fit items-center gap-1.5 text-[13px] text-muted hover:text-text">
      <ArrowLeft className="size-3.5" aria-hidden />
      {children}
    </a>
  );
}

export const BackLink: LinkComponent<typeof Anchor> = createLink(Anchor);

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** Shows loaded data, a skeleton or the error. Data stays visible while it is refetched. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>): ReactNode {
  return query.data === undefined ? <NotLoaded query={query} /> : children(query.data);
}

interface NotLoadedProps {
  readonly query: Pick<UseQueryResult, 'isError' | 'error' | 'refetch'>;
  readonly lines?: number;
}

export function NotLoaded({ query, lines = 3 }: NotLoadedProps): ReactNode {
  return query.isError ? (
    <Failure error={query.error} onRetry={() => void query.refetch()} />
  ) : (
    <Skeleton lines={lines} />
  );
}

export function Skeleton({ lines = 3 }: { readonly lines?: number }): ReactNode {
  return (
    <div role="status" aria-label="Loading" className="grid animate-pulse gap-3 p-5">
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className={`h-4 rounded bg-line ${index % 3 === 2 ? 'w-1/2' : 'w-full'}`} />
      ))}
    </div>
  );
}

interface FailureProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

export function Failure({ error, onRetry }: FailureProps): ReactNode {
  const { title, hint, code, requestId } = reasonOf(error);
  return (
    <div role="alert" className="flex flex-wrap items-start gap-3 p-5">
      <CircleX className="mt-0.5 size-5 shrink-0 text-bad" aria-hidden />
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium break-words">{title}</p>
        <p className="text-muted">{hint}</p>
        <p className="mt-1 font-mono text-xs text-muted">
          {code}
          {requestId !== undefined && ` · request ${requestId}`}
        </p>
      </div>
      {onRetry !== undefined && (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

interface MoreButtonProps extends Pick<ComponentProps<typeof Button>, 'size' | 'children'> {
  readonly query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  readonly className?: string;
}

/** Loads the next page. Hidden when all pages are loaded. */
export function MoreButton({ query, className, ...rest }: MoreButtonProps): ReactNode {
  if (!query.hasNextPage) return null;
  return (
    <div className={className}>
      <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()} {...rest} />
    </div>
  );
}

interface ScrollRegionProps extends Omit<ComponentProps<'div'>, 'role' | 'aria-label' | 'tabIndex'> {
  readonly label: string;
}

/** A scrollable area. It is focusable, so that users can scroll it by keyboard. */
export function ScrollRegion({ label, ...rest }: ScrollRegionProps): ReactNode {
  return <div role="region" aria-label={label} tabIndex={0} {...rest} />;
}
