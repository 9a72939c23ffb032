import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { useMe } from '../lib/permissions.ts';
import { type PageEntry, pages } from '../pages/registry.ts';

export function usePages(): readonly PageEntry[] {
  const permissions = useMe()?.permissions ?? [];
  return pages.filter(({ permission }) => permissions.includes(permission));
}

export function Navigation({ onGo }: { readonly onGo?: () => void }): ReactNode {
  const visible = usePages();
  const sections = [...new Set(visible.map(({ section }) => section))];
  return (
    <nav aria-label="Pages" className="grid gap-5">
      {sections.map((section) => (
        <div key={section}>
          <h2 className="px-3 pb-1 text-xs font-medium text-muted">{section}</h2>
          <ul className="grid gap-0.5">
            {visible
              .filter((page) => page.section === section)
              .map((page) => (
                <li key={page.path}>
                  <Entry page={page} {...(onGo === undefined ? {} : { onGo })} />
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Entry({ page, onGo }: { readonly page: PageEntry; readonly onGo?: () => void }): ReactNode {
  const { icon: Icon, path, label } = page;
  return (
    <Link
      to={path}
      {...(onGo === undefined ? {} : { onClick: onGo })}
      activeOptions={{ exact: path === '/', includeSearch: false }}
      className="flex h-9 items-center gap-3 rounded-lg px-3 font-medium transition-colors"
      activeProps={{ className: 'bg-accent-soft text-accent-strong' }}
      inactiveProps={{ className: 'text-muted hover:bg-sunken hover:text-text' }}
    >
      <Icon className="size-4" aria-hidden />
      {label}
    </Link>
  );
}
