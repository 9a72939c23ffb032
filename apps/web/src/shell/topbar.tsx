import { Menu, Monitor, Moon, Search, Sun } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { setTheme, themes, useTheme } from '../lib/theme.ts';
import { IconButton } from '../ui/button.tsx';
import { Drawer } from './drawer.tsx';
import { LiveButton } from './live-button.tsx';
import { paletteIsOpen } from './palette-state.ts';

export function Topbar(): ReactNode {
  const [isMenuOpen, setMenuOpen] = useState(false);
  return (
    <header className="sticky top-0 z-20 flex h-14 items-center gap-2 border-b border-line bg-page px-3 sm:px-6 print:hidden">
      <div className="lg:hidden">
        <IconButton label="Open the menu" onClick={() => setMenuOpen(true)}>
          <Menu className="size-5" aria-hidden />
        </IconButton>
      </div>
      <button
        type="button"
        onClick={() => paletteIsOpen.set(true)}
        className="flex h-9 w-full max-w-sm min-w-0 items-center gap-2 rounded-lg border border-line bg-surface px-3 text-muted hover:border-line-strong"
      >
        <Search className="size-4 shrink-0" aria-hidden />
        <span className="flex-1 truncate text-left">Go to …</span>
        <kbd className="hidden rounded border border-line px-1.5 font-sans text-xs sm:block">Ctrl K</kbd>
      </button>
      <div className="flex-1" />
      <LiveButton />
      <ThemeButton />
      <Drawer isOpen={isMenuOpen} onClose={() => setMenuOpen(false)} />
    </header>
  );
}

const icons = { system: Monitor, light: Sun, dark: Moon } as const;
const names = { system: 'like the system', light: 'light', dark: 'dark' } as const;

function ThemeButton(): ReactNode {
  const theme = useTheme();
  const Icon = icons[theme];
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  return (
    <IconButton label={`Appearance: ${names[theme]}. Change to ${names[next]}`} onClick={() => setTheme(next)}>
      <Icon className="size-4" aria-hidden />
    </IconButton>
  );
}
