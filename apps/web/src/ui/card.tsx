import { type ReactNode, useId } from 'react';

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
