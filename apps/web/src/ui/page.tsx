import { createLink, type LinkComponent } from '@tanstack/react-router';
import { ArrowLeft, type LucideIcon } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useId, useState } from 'react';

interface PageProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Header of a page; also sets the title of the tab. */
export function Page({ title, description, actions, children }: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${title} · Holdfast`;
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
  /** Content without padding, such as tables and lists. */
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
  /** Rows that are visible until the user asks for all. */
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

/** Says what belongs here and how to add it. */
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
