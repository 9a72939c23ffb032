import { type ReactNode, useState } from 'react';

import { useStore } from '../lib/store.ts';
import { Finder, FinderDialog } from '../ui/finder.tsx';
import { type Command, useCommands } from './commands.ts';
import { paletteIsOpen } from './palette-state.ts';

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
