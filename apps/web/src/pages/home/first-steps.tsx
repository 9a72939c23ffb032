import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Sparkles } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { systemApi } from '../../api/clients.ts';
import { changesQuery, demoQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { count } from '../../lib/format.ts';
import { useMay, useMe } from '../../lib/permissions.ts';
import { say } from '../../lib/toasts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Card } from '../../ui/page.tsx';

const uses = [
  { app: 'np', title: 'Plans', what: 'A goal and its tasks, shared with your agents', path: '/plans' },
  { app: 'utask', title: 'Tasks', what: 'A quick list with tags and due dates', path: '/tasks' },
  { app: 'codex', title: 'Notebooks', what: 'Notes in a folder, with a history of every change', path: '/notebooks' },
  { app: 'audiobooks', title: 'Audiobooks', what: 'Your library, in the browser and on the phone', path: '/books' },
  { app: 'ringmaster', title: 'Ringmaster', what: 'AI workers that complete tasks for you', path: '/ringmaster' },
] as const;
type Use = (typeof uses)[number];

/** First parts of the keys of all queries that the demo affects. */
const EVERYTHING = ['demo', 'changes', 'databases', 'inbox', 'np', 'utask', 'codex', 'audiobooks', 'ringmaster'];

/**
 * Asks a newcomer which applications to use, and offers example data. Later, it only offers to remove the example data.
 */
export function FirstSteps(): ReactNode {
  const mayAdd = useMay('system:admin');
  const { data: changes } = useQuery(changesQuery);
  const { data: demo } = useQuery({ ...demoQuery, enabled: mayAdd });
  if (changes === undefined || (mayAdd && demo === undefined)) return null;
  if (demo !== undefined && demo.folder !== null) return <DemoIsThere folder={demo.folder} />;
  return changes.data.length === 0 ? <WhatToUse mayAdd={mayAdd} /> : null;
}

function WhatToUse({ mayAdd }: { readonly mayAdd: boolean }): ReactNode {
  const permissions = useMe()?.permissions ?? [];
  const offered = uses.filter(({ app }) => permissions.includes(`app:${app}:read`));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = offered.filter(({ app }) => !left.has(app));
  const toggle = (app: string): void => {
    const next = new Set(left);
    if (!next.delete(app)) next.add(app);
    setLeft(next);
  };
  const add = useAction({
    failed: 'Could not add the demo',
    done: () => 'Added example data. Remove it here whenever you want.',
    touches: EVERYTHING,
    run: (apps: readonly Use['app'][]) => systemApi.POST('/demo', { body: { apps: [...apps] } }),
  });
  return (
    <Card
      title="What do you want to use?"
      description="Open a page and create something, or look around with example data first."
      isFlush
    >
      <ul className="divide-y divide-line border-t border-line">
        {offered.map(({ app, title, what, path }) => (
          <li key={app} className="flex items-center gap-3 px-5 py-2.5">
            {mayAdd && (
              <input
                type="checkbox"
                className="size-4 accent-accent"
                aria-label={`Example data for ${title}`}
                checked={!left.has(app)}
                onChange={() => toggle(app)}
              />
            )}
            <span className="min-w-0 flex-1">
              <span className="font-medium">{title}</span>
              <span className="block text-[13px] text-muted">{what}</span>
            </span>
            <Link to={path} className={buttonClass('plain', 'small')}>
              Open<span className="sr-only"> {title}</span>
            </Link>
          </li>
        ))}
      </ul>
      {mayAdd && (
        <div className="flex flex-wrap items-center gap-3 border-t border-line px-5 py-3">
          <Button
            variant="primary"
            size="small"
            icon={Sparkles}
            isBusy={add.isPending}
            disabled={chosen.length === 0}
            onClick={() => add.mutate(chosen.map(({ app }) => app))}
          >
            Add example data
          </Button>
          <span className="text-[13px] text-muted">
            Adds examples to the checked applications. You can remove them with one click.
          </span>
        </div>
      )}
    </Card>
  );
}

function DemoIsThere({ folder }: { readonly folder: string }): ReactNode {
  const remove = useAction({
    failed: 'Could not remove the demo',
    touches: EVERYTHING,
    async run(_: undefined) {
      const { data } = await systemApi.DELETE('/demo', {});
      const kept = data.kept.length;
      say(
        kept === 0
          ? 'Removed the example data'
          : `Removed. ${count(kept, 'file')} that you added or changed stayed in ${folder}.`,
      );
    },
  });
  return (
    <Card
      title="You are looking at example data"
      description={<span className="break-all">Its files are in {folder}.</span>}
      actions={
        <ConfirmButton
          size="small"
          title="Remove the example data?"
          action="Remove example data"
          mutation={remove}
          explanation={<p>Removes exactly what the demo added. Files that you added or changed stay.</p>}
        >
          Remove example data
        </ConfirmButton>
      }
    >
      <p className="text-muted">
        Change anything you like. When you have seen enough, remove the example data and start with your own.
      </p>
    </Card>
  );
}
