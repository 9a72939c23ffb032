import { useSyncExternalStore } from 'react';

import { createStore, useStore } from './store.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const KEY = 'holdfast.theme';
const chosen = createStore<Theme>(remembered());

export function useTheme(): Theme {
  return useStore(chosen);
}

export function setTheme(theme: Theme): void {
  chosen.set(theme);
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // A browser that keeps nothing has it until the page is closed.
  }
}

function remembered(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system';
  } catch {
    return 'system';
  }
}

const system = window.matchMedia('(prefers-color-scheme: dark)');

/** For what cannot be said in a style sheet. */
export function useIsDark(): boolean {
  const theme = useTheme();
  const isSystemDark = useSyncExternalStore(
    (listener) => {
      system.addEventListener('change', listener);
      return () => system.removeEventListener('change', listener);
    },
    () => system.matches,
  );
  return theme === 'system' ? isSystemDark : theme === 'dark';
}
