import { titleScore } from '@holdfast/base/text-index';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  BookOpen,
  Clock,
  FileText,
  Headphones,
  ListChecks,
  ListTodo,
  type LucideIcon,
  Network,
  Play,
  Plus,
  User,
} from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';

import { bookQuery } from '../api/audiobooks-queries.ts';
import { searchQuery } from '../api/queries.ts';
import { queryClient } from '../api/query-client.ts';
import { useMay } from '../lib/permissions.ts';
import { useStore } from '../lib/store.ts';
import { playBook } from '../player/player.ts';
import { Finder, FinderDialog } from '../ui/finder.tsx';
import { type Command, useAddTask, useCommands } from './commands.ts';
import { recentVisits, rememberVisit } from './recent-visits.ts';
import { paletteInput, paletteIsOpen } from './shortcuts.ts';

export function Palette(): ReactNode {
  const isOpen = useStore(paletteIsOpen);
  return (
    <FinderDialog label="Find anything" isOpen={isOpen} onOpenChange={paletteIsOpen.set}>
      <Results />
    </FinderDialog>
  );
}

const RECENT_SHOWN = 6;

function Results(): ReactNode {
  const { text, isEntered } = useStore(paletteInput);
  useEffect(() => () => paletteInput.set({ text: '', isEntered: false }), []);
  const typed = text.trim().replaceAll(/\s+/gu, ' ');
  const commands = useCommands();
  const recent = useRecentItems();
  const { found, isStale, unavailable } = useFound(typed);
  const actions = useActions(typed);
  const entries = typed === '' ? [...recent, ...commands] : [...ranked(typed, commands, found), ...actions];
  return (
    <>
      <Finder
        label="Find tasks, plans, notes, books, pages and commands"
        text={text}
        onText={(next) => paletteInput.set({ text: next, isEntered: false })}
        isEntered={isEntered}
        found={entries}
        isStale={isStale}
        keyOf={({ key }) => key}
        none={isStale ? 'Searching …' : 'No matches'}
        render={(entry) => <EntryRow entry={entry} />}
        onChoose={(entry) => {
          paletteIsOpen.set(false);
          entry.run();
        }}
      />
      {unavailable.length > 0 && (
        <p className="border-t border-line px-5 py-3 text-[13px] text-warn">
          These applications did not answer, so they were not searched: {unavailable.join(', ')}
        </p>
      )}
    </>
  );
}

function EntryRow({ entry: { icon: Icon, label, detail, hint } }: { readonly entry: Command }): ReactNode {
  return (
    <>
      <Icon className="size-4 shrink-0" aria-hidden />
      <span className="grid min-w-0 flex-1 py-1">
        <span className="truncate" dir="auto">
          {label}
        </span>
        {detail !== undefined && (
          <span className="truncate text-xs text-muted" dir="auto">
            {detail}
          </span>
        )}
      </span>
      {hint !== undefined && <kbd className="shrink-0 font-sans text-xs text-muted">{hint}</kbd>}
    </>
  );
}

interface ScoredCommand extends Command {
  readonly score: number;
}

/** Merges commands and search results, best first. A command comes before a result that matches equally well. */
function ranked(typed: string, commands: readonly Command[], found: readonly ScoredCommand[]): readonly Command[] {
  const words = typed.toLowerCase().split(' ');
  const matching = commands
    .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
    .map((command) => ({ ...command, score: titleScore(command.label.toLowerCase(), words) }));
  return [...matching, ...found].sort((left, right) => right.score - left.score);
}

const icons = new Map<string, LucideIcon>([
  ['task', ListTodo],
  ['plan', ListChecks],
  ['plan task', ListChecks],
  ['note', FileText],
  ['book', Headphones],
  ['series', BookOpen],
  ['author', User],
  ['narrator', User],
]);

function useFound(typed: string): {
  readonly found: readonly ScoredCommand[];
  readonly isStale: boolean;
  readonly unavailable: readonly string[];
} {
  const navigate = useNavigate();
  const { data, isPlaceholderData, isLoading } = useQuery(searchQuery(typed));
  const items = typed === '' || data === undefined ? [] : data.data;
  const found = items.flatMap((item): readonly ScoredCommand[] => {
    const { kind, id, title, detail, state, path, score } = item;
    const about = [kind, state, detail].filter((part) => part !== null && part !== '').join(' · ');
    const icon = icons.get(kind) ?? Network;
    const open = { key: path + id, label: title, icon, detail: about, score, run: () => void navigate({ href: path }) };
    if (kind !== 'book') return [open];
    const play = async (): Promise<void> => playBook((await queryClient.fetchQuery(bookQuery(id))).book);
    return [open, { key: `play ${id}`, label: `Play ${title}`, icon: Play, score, run: () => void play() }];
  });
  return { found, isStale: isPlaceholderData || isLoading, unavailable: data?.unavailable ?? [] };
}

function useRecentItems(): readonly Command[] {
  const navigate = useNavigate();
  // The shell records a visit only after a while, so the current page may be missing.
  const [visits] = useState(() => {
    rememberVisit(location.pathname, document.title);
    return recentVisits();
  });
  return visits
    .slice(0, RECENT_SHOWN)
    .map(({ path, title }) => ({ key: path, label: title, icon: Clock, run: () => void navigate({ href: path }) }));
}

/** Commands that use the typed text. */
function useActions(typed: string): readonly Command[] {
  const mayAdd = useMay('app:utask:write');
  const addTask = useAddTask();
  const text = typed.replace(/^new task:? ?/iu, '');
  if (!mayAdd || text === '') return [];
  return [{ key: 'new task', label: `New task: ${text}`, icon: Plus, run: () => addTask.mutate(text) }];
}
