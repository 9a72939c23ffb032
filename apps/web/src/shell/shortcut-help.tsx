import { type ReactNode, useSyncExternalStore } from 'react';

import { useStore } from '../lib/store.ts';
import { usePages } from '../pages/registry.ts';
import { playerState } from '../player/state.ts';
import { Dialog } from '../ui/dialog.tsx';
import { pageKeys } from './page-keys.ts';
import { helpIsOpen } from './shortcuts.ts';

const general = [
  { keys: ['Ctrl', 'K'], does: 'Find anything (⌘ K on a Mac)' },
  { keys: ['/'], does: 'Search this page; press twice to find anything' },
  { keys: ['z'], does: 'Undo the last change, while its message is shown' },
  { keys: ['p'], does: 'Pause or resume live updates' },
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
  const pages = usePages().map(({ key, label }) => ({ keys: ['g', key], does: label }));
  const here = useStore(pageKeys).map(({ key, does }) => ({ keys: [key], does }));
  const isListening = useSyncExternalStore(playerState.subscribe, () => playerState.get() !== undefined);
  return (
    <Dialog title="Keyboard shortcuts" isOpen onClose={() => helpIsOpen.set(false)}>
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
