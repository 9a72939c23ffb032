import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Database, Keyboard, LogOut, type LucideIcon, Moon, Pause } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { databasesQuery } from '../api/queries.ts';
import { useMay } from '../lib/permissions.ts';
import { useStore } from '../lib/store.ts';
import { setTheme, themes } from '../lib/theme.ts';
import { toggleLive } from '../live/streams.ts';
import { usePages } from '../pages/registry.ts';
import { Finder, FinderDialog } from '../ui/finder.tsx';
import { useSignOut } from './navigation.tsx';
import { helpIsOpen, paletteIsOpen } from './shortcuts.tsx';

export function Palette(): ReactNode {
  const isOpen = useStore(paletteIsOpen);
  return (
    <FinderDialog label="Go to" isOpen={isOpen} onOpenChange={paletteIsOpen.set}>
      <Commands />
    </FinderDialog>
  );
}

function Commands(): ReactNode {
  const [text, setText] = useState('');
  const words = text.toLowerCase().split(/\s+/);
  const found = useCommands().filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  return (
    <Finder
      label="Go to a page, a database or a setting"
      text={text}
      onText={setText}
      found={found}
      keyOf={({ label }) => label}
      none="No matches"
      render={(command) => <Entry command={command} />}
      onChoose={(command) => {
        paletteIsOpen.set(false);
        command.run();
      }}
    />
  );
}

function Entry({ command: { icon: Icon, label, hint } }: { readonly command: Command }): ReactNode {
  return (
    <>
      <Icon className="size-4" aria-hidden />
      <span className="flex-1 truncate">{label}</span>
      {hint !== undefined && <kbd className="font-sans text-xs text-muted">{hint}</kbd>}
    </>
  );
}

interface Command {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly hint?: string;
  readonly run: () => void;
}

function useCommands(): readonly Command[] {
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
