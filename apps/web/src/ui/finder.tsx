import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';

import { Modal } from './modal.tsx';

interface FinderDialogProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

export function FinderDialog({ label, isOpen, onOpenChange, children }: FinderDialogProps): ReactNode {
  return (
    <Modal
      isOpen={isOpen}
      onClose={() => onOpenChange(false)}
      aria-label={label}
      className="fixed top-[12vh] left-1/2 z-40 w-[calc(100vw-2rem)] max-w-2xl -translate-x-1/2 overflow-hidden rounded-2xl border border-line bg-raised shadow-xl"
    >
      {children}
    </Modal>
  );
}

interface FinderProps<Item> {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Whether the user already pressed Enter, before the field had focus. */
  readonly isEntered?: boolean;
  readonly found: readonly Item[];
  /** Whether `found` belongs to an earlier text. If so, Enter waits for the results for the current text. */
  readonly isStale?: boolean;
  readonly keyOf: (item: Item) => string;
  readonly render: (item: Item) => ReactNode;
  readonly onChoose: (item: Item) => void;
  readonly none: string;
}

/** A search field with results: arrow keys select, Enter chooses. */
export function Finder<Item>(props: FinderProps<Item>): ReactNode {
  const { label, text, onText, isEntered = false, found, isStale = false, keyOf, render, onChoose, none } = props;
  const [selected, setSelected] = useState<{ readonly text: string; readonly key: string }>();
  const active = selected?.text === text ? selected.key : undefined;
  const [isWaiting, setWaiting] = useState(false);
  const at = Math.max(
    0,
    found.findIndex((item) => keyOf(item) === active),
  );
  const chosen = found[at];
  // Results that arrive later must not move the highlight to another result.
  if (active === undefined && !isStale && chosen !== undefined) setSelected({ text, key: keyOf(chosen) });
  useEffect(() => {
    if (!(isWaiting || isEntered) || isStale || chosen === undefined) return;
    setWaiting(false);
    onChoose(chosen);
  }, [isWaiting, isEntered, isStale, chosen, onChoose]);
  const id = useId();
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = (at + step + found.length) % Math.max(1, found.length);
      if (found[next] !== undefined) setSelected({ text, key: keyOf(found[next]) });
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
    }
    if (event.key !== 'Enter') return;
    if (isStale && active === undefined) setWaiting(true);
    else if (chosen !== undefined) onChoose(chosen);
  };
  return (
    <>
      <input
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${at}`}
        placeholder={label}
        className="w-full border-b border-line bg-transparent px-5 py-4 text-base outline-none placeholder:text-muted"
        value={text}
        onChange={({ target }) => {
          onText(target.value);
          setWaiting(false);
        }}
        onKeyDown={onKeyDown}
        onFocus={({ target }) => target.setSelectionRange(text.length, text.length)}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Results" className="max-h-[50vh] overflow-y-auto p-2">
        {found.map((item, index) => (
          // The input above handles the keys of this list.
          <div
            key={keyOf(item)}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => onChoose(item)}
            className={`flex min-h-10 cursor-pointer items-center gap-3 rounded-lg px-3 ${index === at ? 'bg-accent-soft text-accent-strong' : 'hover:bg-sunken'}`}
          >
            {render(item)}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="px-5 pb-5 text-muted">{none}</p>}
    </>
  );
}
