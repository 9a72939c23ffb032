import { type ReactNode, useEffect } from 'react';

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
