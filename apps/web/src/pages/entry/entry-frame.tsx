import { type ReactNode, useEffect } from 'react';

import { Brand } from '../../shell/sidebar.tsx';

interface EntryFrameProps {
  readonly title: string;
  readonly description: ReactNode;
  readonly children: ReactNode;
}

/** Layout of the pages outside of the shell. */
export function EntryFrame({ title, description, children }: EntryFrameProps): ReactNode {
  useEffect(() => {
    document.title = `${title} · Holdfast`;
  }, [title]);
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="grid w-full max-w-sm gap-6">
        <Brand />
        <div className="grid gap-5 rounded-2xl border border-line bg-surface p-6 shadow-sm">
          <div>
            <h1 className="text-xl font-semibold">{title}</h1>
            <p className="mt-1 text-muted">{description}</p>
          </div>
          {children}
        </div>
      </div>
    </main>
  );
}
