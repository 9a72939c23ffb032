import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import type { ActivityItem } from '../../api/types.ts';
import type { Fold } from '../../lib/fold-activity.ts';
import { count } from '../../lib/format.ts';
import { Time } from '../../ui/badge.tsx';
import { appNames } from '../../ui/cross-link.tsx';

/** One change, or several similar changes that a click reveals. */
export function ActivityRow({ fold }: { readonly fold: Fold }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { first, items } = fold;
  if (items.length === 1) return <Line item={first} />;
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-center gap-2 px-5 py-2.5 text-left text-muted -outline-offset-2 hover:bg-sunken"
      >
        <ChevronRight className={`size-4 shrink-0 ${isOpen ? 'rotate-90' : ''}`} aria-hidden />
        <span className="min-w-0 flex-1 break-words">{foldText(fold)}</span>
        <span className="shrink-0 text-[13px]">
          <Time at={first.at} />
        </span>
      </button>
      {isOpen && (
        <ul className="divide-y divide-line border-t border-line bg-sunken">
          {items.map((item, at) => (
            <li key={at}>
              <Line item={item} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function foldText({ first, items }: Fold): string {
  const where = appNames[first.app] ?? first.app;
  if (first.is_automatic) return `${count(items.length, 'automatic change')} in ${where}`;
  return `${first.who ?? 'Someone'} made ${count(items.length, 'change')} like “${first.text} ${first.title}” in ${where}`;
}

function Line({ item: { app, at, who, text, title, path } }: { readonly item: ActivityItem }): ReactNode {
  return (
    <div className="flex items-baseline gap-3 px-5 py-2.5">
      <p className="min-w-0 flex-1 break-words">
        {who !== null && <span className="font-medium">{who} </span>}
        <span className="text-muted">{who === null ? `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}` : text} </span>
        {path === null ? (
          <bdi>{title}</bdi>
        ) : (
          <Link to={path} className="font-medium hover:underline">
            <bdi>{title}</bdi>
          </Link>
        )}
        <span className="text-[13px] text-muted"> · {appNames[app] ?? app}</span>
      </p>
      <span className="shrink-0 text-[13px] text-muted">
        <Time at={at} />
      </span>
    </div>
  );
}
