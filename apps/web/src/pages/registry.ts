import {
  Activity,
  CircleUser,
  FolderTree,
  Headphones,
  House,
  Inbox,
  ListChecks,
  ListTodo,
  type LucideIcon,
  Network,
  NotebookText,
  Rows3,
  ScrollText,
  Server,
  Users,
} from 'lucide-react';
import type { ComponentType } from 'react';

import { useMe } from '../lib/permissions.ts';

/**
 * All pages. Applications add their pages here, and their paths to the list in apps/hub/src/hub.ts. Navigation, command
 * palette and shortcuts are derived from this list.
 */
export interface PageEntry {
  readonly path: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly section: string;
  readonly permission: string;
  /** Key of the shortcut, pressed after `g`. */
  readonly key: string;
  /** Further routes of the page: `/keys/$name` belongs to `/keys`. */
  readonly also?: readonly string[];
  readonly load: () => Promise<{ readonly Component: ComponentType }>;
}

const sections: Readonly<Record<string, readonly Omit<PageEntry, 'section'>[]>> = {
  Overview: [
    {
      path: '/',
      label: 'Home',
      icon: House,
      permission: 'account:read',
      key: 'h',
      load: () => import('./home/home-page.tsx'),
    },
    {
      path: '/inbox',
      label: 'Inbox',
      icon: Inbox,
      permission: 'account:read',
      key: 'i',
      load: () => import('./inbox/inbox-page.tsx'),
    },
  ],
  Applications: [
    {
      path: '/plans',
      label: 'Plans',
      icon: ListChecks,
      permission: 'app:np:read',
      key: 'n',
      also: ['/plans/$sid'],
      load: () => import('./plans/plans-page.tsx'),
    },
    {
      path: '/tasks',
      label: 'Tasks',
      icon: ListTodo,
      permission: 'app:utask:read',
      key: 't',
      load: () => import('./tasks/tasks-page.tsx'),
    },
    {
      path: '/ringmaster',
      label: 'Ringmaster',
      icon: Network,
      permission: 'app:ringmaster:read',
      key: 'r',
      also: ['/ringmaster/$workspace/$view', '/ringmaster/$workspace/tasks/$id'],
      load: () => import('./ringmaster/ringmaster-page.tsx'),
    },
    {
      path: '/books',
      label: 'Audiobooks',
      icon: Headphones,
      permission: 'app:audiobooks:read',
      key: 'l',
      also: ['/books/$view', '/books/$view/$id'],
      load: () => import('./books/books-page.tsx'),
    },
    {
      path: '/notebooks',
      label: 'Notebooks',
      icon: NotebookText,
      permission: 'app:codex:read',
      key: 'b',
      also: [
        '/notebooks/$id',
        '/notebooks/$id/graph',
        '/notebooks/$id/history',
        '/notebooks/$id/search',
        '/notebooks/$id/files/$file',
        '/notebooks/$id/files/$file/history',
      ],
      load: () => import('./notebooks/notebooks-page.tsx'),
    },
  ],
  Advanced: [
    {
      path: '/activity',
      label: 'Activity',
      icon: Activity,
      permission: 'account:read',
      key: 'a',
      load: () => import('./activity/activity-page.tsx'),
    },
    {
      path: '/queue',
      label: 'Queue',
      icon: Rows3,
      permission: 'app:codex:read',
      key: 'q',
      load: () => import('./queue/queue-page.tsx'),
    },
    {
      path: '/keys',
      label: 'Keys',
      icon: FolderTree,
      permission: 'system:read',
      key: 'k',
      also: ['/keys/$name'],
      load: () => import('./keys/keys-page.tsx'),
    },
  ],
  Administration: [
    {
      path: '/system',
      label: 'System',
      icon: Server,
      permission: 'system:read',
      key: 's',
      load: () => import('./system/system-page.tsx'),
    },
    {
      path: '/users',
      label: 'Users',
      icon: Users,
      permission: 'users:read',
      key: 'u',
      load: () => import('./users/users-page.tsx'),
    },
    {
      path: '/audit',
      label: 'Audit log',
      icon: ScrollText,
      permission: 'users:read',
      key: 'v',
      load: () => import('./audit/audit-page.tsx'),
    },
  ],
  You: [
    {
      path: '/account',
      label: 'Account',
      icon: CircleUser,
      permission: 'account:read',
      key: 'c',
      load: () => import('./account/account-page.tsx'),
    },
  ],
};

export const pages: readonly PageEntry[] = Object.entries(sections).flatMap(([section, entries]) =>
  entries.map((entry) => ({ ...entry, section })),
);

export function usePages(): readonly PageEntry[] {
  const permissions = useMe()?.permissions ?? [];
  return pages.filter(({ permission }) => permissions.includes(permission));
}
