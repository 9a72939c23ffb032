import { type UseMutationResult, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  CirclePause,
  CirclePlay,
  Database,
  Keyboard,
  LogOut,
  type LucideIcon,
  Moon,
  Pause,
  Settings,
} from 'lucide-react';

import { ringmasterApi, utaskApi } from '../api/clients.ts';
import { databasesQuery } from '../api/queries.ts';
import { workspacesQuery } from '../api/ringmaster-queries.ts';
import { queryClient } from '../api/query-client.ts';
import { useAction } from '../api/use-action.ts';
import { useMay } from '../lib/permissions.ts';
import { setTheme, themes } from '../lib/theme.ts';
import { say } from '../lib/toasts.ts';
import { toggleLive } from '../live/streams.ts';
import { usePages } from '../pages/registry.ts';
import { useSignOut } from './navigation.tsx';
import { helpIsOpen } from './shortcuts.ts';

/** An entry in the palette: a command, a page or a search result. */
export interface Command {
  readonly key: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly detail?: string;
  readonly hint?: string;
  readonly run: () => void;
}

/** Settings that people search for by name, and the page of each. */
const settings = [
  { label: 'Change password', path: '/account' },
  { label: 'Tokens and sessions', path: '/account' },
  { label: 'Browser notifications', path: '/inbox' },
  { label: 'Backups and restore points', path: '/system' },
  { label: 'Users and roles', path: '/users' },
] as const;

export function useCommands(): readonly Command[] {
  const navigate = useNavigate();
  const pages = usePages();
  const maySee = useMay('system:read');
  const { data: databases = [] } = useQuery({ ...databasesQuery, enabled: maySee });
  const signOut = useSignOut();
  const workers = useWorkerCommands();
  const commands: readonly Omit<Command, 'key'>[] = [
    ...pages.map(({ label, icon, path, key }) => ({
      label,
      icon,
      hint: `g ${key}`,
      run: () => void navigate({ to: path }),
    })),
    ...settings
      .filter(({ path }) => pages.some((page) => page.path === path))
      .map(({ label, path }) => ({ label, icon: Settings, run: () => void navigate({ to: path }) })),
    ...workers,
    ...databases
      .filter(({ kind }) => kind === 'keyspace')
      .map(({ name }) => ({
        label: `Browse keys of ${name}`,
        icon: Database,
        run: () => void navigate({ to: '/keys/$name', params: { name } }),
      })),
    ...databases.map(({ name }) => ({
      label: `Show activity for ${name}`,
      icon: Database,
      run: () => void navigate({ to: '/activity', search: { database: name } }),
    })),
    { label: 'Pause or resume live updates', icon: Pause, hint: 'p', run: toggleLive },
    ...themes.map((theme) => ({ label: `Appearance: ${theme}`, icon: Moon, run: () => setTheme(theme) })),
    { label: 'Show keyboard shortcuts', icon: Keyboard, hint: '?', run: () => helpIsOpen.set(true) },
    { label: 'Sign out', icon: LogOut, run: () => signOut.mutate() },
  ];
  return commands.map((command) => ({ ...command, key: command.label }));
}

function useWorkerCommands(): readonly Omit<Command, 'key'>[] {
  const mayChange = useMay('app:ringmaster:write');
  const pause = useAction<boolean, number>({
    failed: 'Could not change the workers',
    touches: ['ringmaster'],
    run: pauseAll,
  });
  if (!mayChange) return [];
  const report = (paused: boolean) => (count: number) =>
    count === 0
      ? say('There are no workspaces')
      : say(paused ? 'Paused all workers' : 'Resumed all workers', { label: 'Undo', run: () => pause.mutate(!paused) });
  return [
    { label: 'Pause workers', icon: CirclePause, run: () => pause.mutate(true, { onSuccess: report(true) }) },
    { label: 'Resume workers', icon: CirclePlay, run: () => pause.mutate(false, { onSuccess: report(false) }) },
  ];
}

/** Pauses or resumes all workers of all workspaces; returns the number of workspaces. */
async function pauseAll(paused: boolean): Promise<number> {
  const workspaces = await queryClient.fetchQuery(workspacesQuery);
  for (const { id: workspace } of workspaces) {
    await ringmasterApi.PUT('/workspaces/{workspace}/paused', { params: { workspace }, body: { paused } });
  }
  return workspaces.length;
}

export function useAddTask(): UseMutationResult<unknown, Error, string> {
  const remove = useAction<string>({
    failed: 'Could not delete the task',
    touches: ['utask'],
    run: async (id) => void (await utaskApi.DELETE('/tasks/{id}', { params: { id } })),
  });
  return useAction<string>({
    failed: 'Could not add the task',
    touches: ['utask'],
    async run(text) {
      const { data } = await utaskApi.POST('/tasks', { body: { text } });
      say(`Added: ${data.text}`, { label: 'Undo', run: () => remove.mutate(data.id) });
    },
  });
}
