import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

import { toggleLive } from '../live/streams.ts';
import { usePages } from './navigation.tsx';
import { pageKeys } from './page-keys.ts';
import { helpIsOpen, paletteIsOpen } from './palette-state.ts';

const SEQUENCE_MS = 1_200;

/** Global shortcuts, inactive while typing or in a dialog. */
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
