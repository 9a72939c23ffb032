import { type ReactNode, useEffect, useRef } from 'react';

interface RenameBoxProps {
  readonly name: string;
  readonly isFolder: boolean;
  /** Without a name when it stays as it is. */
  readonly onDone: (name: string | undefined) => void;
}

/** A name being changed in its place: Enter takes it, Escape leaves it. The ending of a file is not selected. */
export function RenameBox({ name, isFolder, onDone }: RenameBoxProps): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => {
    const dot = isFolder ? -1 : name.lastIndexOf('.');
    box.current?.focus();
    box.current?.setSelectionRange(0, dot <= 0 ? name.length : dot);
  }, [name, isFolder]);
  const finish = (next: string | undefined): void => {
    if (isOver.current) return;
    isOver.current = true;
    const wanted = next?.trim();
    onDone(wanted === undefined || wanted === '' || wanted === name ? undefined : wanted);
  };
  return (
    <input
      ref={box}
      aria-label={`New name of ${name}`}
      defaultValue={name}
      className="h-6 min-w-0 flex-1 rounded border border-accent bg-surface px-1 text-text"
      onClick={(event) => event.stopPropagation()}
      onBlur={({ target }) => finish(target.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') finish(event.currentTarget.value);
        if (event.key === 'Escape') finish(undefined);
      }}
    />
  );
}
