import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';

import { createStore, useStore } from '../lib/store.ts';
import { toggleLive } from '../live/streams.ts';
import { usePages } from '../pages/registry.ts';
import { playerState } from '../player/state.ts';
import { Dialog } from '../ui/dialog.tsx';
import { pageKeys } from './page-keys.ts';

export const paletteIsOpen = createStore(false);
export const helpIsOpen = createStore(false);

const SEQUENCE_MS = 1_200;

/** Global shortcuts. They are inactive while the user types or a dialog is open. */
export function useShortcuts(): void {
  const navigate = useNavigate();
  const pages = usePages();
  useEffect(() => {
    let goAt = 0;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        paletteIsOpen.set(!paletteIsOpen.get());
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return;
      const isGoing = Date.now() - goAt < SEQUENCE_MS;
      goAt = 0;
      const page = isGoing ? pages.find(({ key }) => key === event.key) : undefined;
      if (page !== undefined) void navigate({ to: page.path });
      else if (event.key === 'g') goAt = Date.now();
      else if (event.key === '?') helpIsOpen.set(true);
      else if (event.key === 'p') toggleLive();
      else if (pressPageKey(event)) event.preventDefault();
      else if (event.key === '/') {
        const box = document.querySelector<HTMLInputElement>('[data-search]');
        if (box !== null) event.preventDefault();
        box?.focus();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [navigate, pages]);
}

function pressPageKey({ key }: KeyboardEvent): boolean {
  const found = pageKeys.get().find((each) => each.key === key);
  found?.run();
  return found !== undefined;
}

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('[role=dialog]') !== null) return true;
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

const general = [
  { keys: ['Ctrl', 'K'], does: 'Go to a page, a database or a setting (⌘ K on a Mac)' },
  { keys: ['/'], does: 'Search this page' },
  { keys: ['p'], does: 'Pause or resume live changes' },
  { keys: ['?'], does: 'Show this list' },
] as const;

const listening = [
  { keys: ['space'], does: 'Play or pause' },
  { keys: ['←', '→'], does: 'Skip back or forward' },
  { keys: ['shift', '← →'], does: 'Previous or next chapter' },
  { keys: ['[', ']'], does: 'Slower or faster' },
  { keys: ['m'], does: 'Mute' },
] as const;

export function ShortcutHelp(): ReactNode {
  const isOpen = useStore(helpIsOpen);
  const pages = usePages().map(({ key, label }) => ({ keys: ['g', key], does: label }));
  const here = useStore(pageKeys).map(({ key, does }) => ({ keys: [key], does }));
  const isListening = useSyncExternalStore(playerState.subscribe, () => playerState.get() !== undefined);
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={() => helpIsOpen.set(false)}>
      <ul className="grid gap-2">
        {[...here, ...(isListening ? listening : []), ...general, ...pages].map(({ keys, does }) => (
          <li key={does} className="flex items-center justify-between gap-4">
            <span className="min-w-0">{does}</span>
            <span className="flex shrink-0 gap-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded-md border border-line bg-sunken px-2 py-0.5 font-sans text-xs">
                  {key}
                </kbd>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
