import { useMedia } from './media.ts';
import { readStored, writeStored } from './storage.ts';
import { createStore, useStore } from './store.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const KEY = 'holdfast.theme';
const chosen = createStore<Theme>(themes.find((theme) => theme === readStored(KEY)) ?? 'system');

export function useTheme(): Theme {
  return useStore(chosen);
}

export function setTheme(theme: Theme): void {
  chosen.set(theme);
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  writeStored(KEY, theme);
}

/** For colours that a style sheet cannot set, such as those of a canvas. */
export function useIsDark(): boolean {
  const theme = useTheme();
  const isSystemDark = useMedia('(prefers-color-scheme: dark)');
  return theme === 'system' ? isSystemDark : theme === 'dark';
}
