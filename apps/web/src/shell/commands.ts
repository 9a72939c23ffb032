import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Database, Keyboard, LogOut, type LucideIcon, Moon, Pause } from 'lucide-react';

import { databasesQuery } from '../api/queries.ts';
import { useMay } from '../lib/permissions.ts';
import { setTheme, themes } from '../lib/theme.ts';
import { toggleLive } from '../live/streams.ts';
import { usePages } from './navigation.tsx';
import { helpIsOpen } from './palette-state.ts';
import { useSignOut } from './use-sign-out.ts';

export interface Command {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly hint?: string;
  readonly run: () => void;
}

/** Commands of the palette: pages, databases and settings. */
export function useCommands(): readonly Command[] {
  const navigate = useNavigate();
  const pages = usePages();
  const maySee = useMay('system:read');
  const { data: databases = [] } = useQuery({ ...databasesQuery, enabled: maySee });
  const signOut = useSignOut();
  return [
    ...pages.map(({ label, icon, path, key }) => ({
      label,
      icon,
      hint: `g ${key}`,
      run: () => void navigate({ to: path }),
    })),
    ...databases
      .filter(({ kind }) => kind === 'keyspace')
      .map(({ name }) => ({
        label: `Browse keys of ${name}`,
        icon: Database,
        run: () => void navigate({ to: '/keys/$name', params: { name } }),
      })),
    ...databases.map(({ name }) => ({
      label: `Show activity of ${name}`,
      icon: Database,
      run: () => void navigate({ to: '/activity', search: { database: name } }),
    })),
    { label: 'Pause or resume live changes', icon: Pause, hint: 'p', run: toggleLive },
    ...themes.map((theme) => ({ label: `Appearance: ${theme}`, icon: Moon, run: () => setTheme(theme) })),
    { label: 'Show keyboard shortcuts', icon: Keyboard, hint: '?', run: () => helpIsOpen.set(true) },
    { label: 'Sign out', icon: LogOut, run: () => signOut.mutate() },
  ];
}
