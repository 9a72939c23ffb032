import { Link } from '@tanstack/react-router';
import { AlarmClock } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import type { InboxItem } from '../../api/types.ts';
import { dayText } from '../../lib/format.ts';
import { Badge, Time, type Tone } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu, type MenuPosition } from '../../ui/menu.tsx';
import type { useInboxActions } from './inbox-actions.ts';

const tones = new Map<string, Tone>([
  ['failed', 'bad'],
  ['problem', 'bad'],
  ['problems', 'warn'],
  ['conflict', 'warn'],
  ['overdue', 'warn'],
  ['blocked', 'warn'],
  ['worker_parked', 'warn'],
  ['budget', 'warn'],
]);

const appNames = new Map([
  ['np', 'Plans'],
  ['utask', 'Tasks'],
  ['codex', 'Notebooks'],
  ['audiobooks', 'Audiobooks'],
  ['ringmaster', 'Ringmaster'],
]);

const kindText = (kind: string): string => `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('_', ' ')}`;

/** The server does not know the reader's locale, so it writes a date as `Due 2026-11-14`. */
const withLocalDate = (detail: string): string =>
  detail.replace(/^(Due )(\d{4}-\d{2}-\d{2})$/u, (_, due: string, day: string) => due + dayText(Date.parse(day)));

interface InboxRowProps {
  readonly item: InboxItem;
  readonly actions: ReturnType<typeof useInboxActions>;
}

export function InboxRow({ item, actions }: InboxRowProps): ReactNode {
  const { app, kind, title, detail, since, path, snoozed_until: until } = item;
  return (
    <article aria-label={title} className="flex flex-wrap items-start gap-x-4 gap-y-3 px-5 py-4">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-2 text-[13px] text-muted">
          <Badge tone={tones.get(kind) ?? 'open'}>{kindText(kind)}</Badge>
          {appNames.get(app) ?? app}
          {since !== null && kind !== 'due' && <Time at={since} />}
        </p>
        <Link to={path} className="mt-1 block font-medium break-words hover:underline" dir="auto">
          {title}
        </Link>
        {detail !== null && (
          <p className="mt-0.5 line-clamp-3 break-words whitespace-pre-line text-muted" dir="auto">
            {withLocalDate(detail)}
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {item.actions.map((action) => (
          <Button
            key={action.label}
            size="small"
            disabled={actions.isBusy}
            aria-label={`${action.label}: ${title}`}
            onClick={() => actions.take({ item, action })}
          >
            {action.label}
          </Button>
        ))}
        {until === null ? (
          <SnoozeButton item={item} onSnooze={actions.snooze} />
        ) : (
          <Button size="small" onClick={() => actions.snooze(item, null)}>
            Show again
          </Button>
        )}
      </div>
    </article>
  );
}

interface SnoozeButtonProps {
  readonly item: InboxItem;
  readonly onSnooze: (item: InboxItem, until: Date) => void;
}

function SnoozeButton({ item, onSnooze }: SnoozeButtonProps): ReactNode {
  const [at, setAt] = useState<MenuPosition>();
  const items = snoozeTimes(new Date()).map(({ label, until }) => ({
    label,
    icon: AlarmClock,
    run: () => onSnooze(item, until),
  }));
  return (
    <>
      <IconButton
        icon={AlarmClock}
        label={`Snooze ${item.title}`}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          setAt({ x: left, y: bottom });
        }}
      />
      <Menu label="Snooze until" at={at} items={items} onClose={() => setAt(undefined)} />
    </>
  );
}

const MORNING = 8;

/** Times until which people can snooze an item: in an hour, tomorrow morning and next Monday morning. */
export function snoozeTimes(now: Date): readonly { readonly label: string; readonly until: Date }[] {
  const morning = (days: number): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING);
  return [
    { label: 'For one hour', until: new Date(now.getTime() + 3_600_000) },
    { label: 'Until tomorrow', until: morning(1) },
    { label: 'Until Monday', until: morning(((7 - now.getDay()) % 7) + 1) },
  ];
}
