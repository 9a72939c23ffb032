import { Dialog } from '@base-ui/react/dialog';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';

import { useStore } from '../lib/store.ts';
import { backdropClass } from '../ui/dialog.tsx';
import { type Command, useCommands } from './commands.ts';
import { paletteIsOpen } from './palette-state.ts';

export function Palette(): ReactNode {
  const isOpen = useStore(paletteIsOpen);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => paletteIsOpen.set(open)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup
          aria-label="Go to"
          className="fixed top-[12vh] left-1/2 z-40 w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 overflow-hidden rounded-2xl border border-line bg-raised shadow-xl"
        >
          <Finder />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Finder(): ReactNode {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const words = text.toLowerCase().split(/\s+/);
  const found = useCommands().filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = (at + step + found.length) % Math.max(1, found.length);
      setAt(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
    }
    if (event.key === 'Enter') choose(found[at]);
  };
  return (
    <>
      <input
        role="combobox"
        aria-label="Go to a page, a database or a setting"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${at}`}
        placeholder="Go to a page, a database or a setting"
        className="w-full border-b border-line bg-transparent px-5 py-4 text-base outline-none placeholder:text-muted"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Found" className="max-h-[50vh] overflow-y-auto p-2">
        {found.map((command, index) => (
          <Option key={command.label} id={`${id}-${index}`} command={command} isAt={index === at} />
        ))}
      </div>
      {found.length === 0 && <p className="px-5 pb-5 text-muted">Nothing is called that.</p>}
    </>
  );
}

function choose(command: Command | undefined): void {
  if (command === undefined) return;
  paletteIsOpen.set(false);
  command.run();
}

interface OptionProps {
  readonly id: string;
  readonly command: Command;
  readonly isAt: boolean;
}

function Option({ id, command, isAt }: OptionProps): ReactNode {
  const { icon: Icon, label, hint } = command;
  return (
    // The keys are those of the input above
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isAt}
      onClick={() => choose(command)}
      className={`flex h-10 cursor-pointer items-center gap-3 rounded-lg px-3 ${isAt ? 'bg-accent-soft text-accent-strong' : 'hover:bg-sunken'}`}
    >
      <Icon className="size-4" aria-hidden />
      <span className="flex-1 truncate">{label}</span>
      {hint !== undefined && <kbd className="font-sans text-xs text-muted">{hint}</kbd>}
    </div>
  );
}
