import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

import { createStore } from '../lib/store.ts';
import { undoLast } from '../lib/toasts.ts';
import { toggleLive } from '../live/streams.ts';
import { usePages } from '../pages/registry.ts';
import { pageKeys } from './page-keys.ts';

export const paletteIsOpen = createStore(false);
export const helpIsOpen = createStore(false);
/** The text in the palette, and whether the user pressed Enter before the text field had focus. */
export const paletteInput = createStore({ text: '', isEntered: false });

const SEQUENCE_MS = 1_200;

/** Global shortcuts. They are inactive while the user types or a dialog is open. */
export function useShortcuts(): void {
  const navigate = useNavigate();
  const pages = usePages();
  useEffect(() => {
    let goAt = 0;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
        event.preventDefault();
        paletteIsOpen.set(!paletteIsOpen.get());
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (paletteIsOpen.get() && !isInDialog(event.target)) {
        typeAhead(event);
        return;
      }
      if (event.key === '/' && isEmptySearchBox(event.target)) {
        event.preventDefault();
        paletteIsOpen.set(true);
        return;
      }
      if (isBusy(event.target)) return;
      const isGoing = Date.now() - goAt < SEQUENCE_MS;
      goAt = 0;
      const page = isGoing ? pages.find(({ key }) => key === event.key) : undefined;
      if (page !== undefined) void navigate({ to: page.path });
      else if (event.key === 'g') goAt = Date.now();
      else if (event.key === '?') helpIsOpen.set(true);
      else if (event.key === 'p') toggleLive();
      else if (event.key === 'z') undoLast();
      else if (pressPageKey(event)) event.preventDefault();
      else if (event.key === '/') {
        const box = document.querySelector<HTMLInputElement>('[data-search]');
        event.preventDefault();
        if (box === null) paletteIsOpen.set(true);
        else box.focus();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [navigate, pages]);
}

/**
 * The code of dialogs is loaded when the first one opens. While it is loading, fast typing must not trigger the page's
 * shortcuts.
 */
function typeAhead(event: KeyboardEvent): void {
  const { text, isEntered } = paletteInput.get();
  if (event.key === 'Escape') {
    paletteIsOpen.set(false);
    paletteInput.set({ text: '', isEntered: false });
  } else if (event.key === 'Enter') paletteInput.set({ text, isEntered: true });
  else if (event.key.length === 1) paletteInput.set({ text: text + event.key, isEntered });
  else return;
  event.preventDefault();
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role=dialog]') !== null;
}

function pressPageKey({ key }: KeyboardEvent): boolean {
  const found = pageKeys.get().find((each) => each.key === key);
  found?.run();
  return found !== undefined;
}

function isEmptySearchBox(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.matches('[data-search]') && target.value === '';
}

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('[role=dialog]') !== null) return true;
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}
