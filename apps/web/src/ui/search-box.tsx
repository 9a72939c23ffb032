import { Search } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { controlClass } from './field.tsx';

const SETTLE_MS = 200;

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Updates the address when typing pauses. `/` focuses it. */
export function SearchBox({ label, value, onChange }: SearchBoxProps): ReactNode {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const box = useRef<HTMLInputElement>(null);
  // The address changed otherwise: back, forward, a link.
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  useEffect(() => {
    if (typed === known) return undefined;
    const timer = setTimeout(() => {
      setKnown(typed);
      onChange(typed);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed, known, onChange]);
  return (
    <div className="relative min-w-0 flex-1">
      <Search className="pointer-events-none absolute top-2.5 left-3 size-4 text-muted" aria-hidden />
      <input
        ref={box}
        type="search"
        data-search
        aria-label={label}
        placeholder={label}
        className={`${controlClass} pl-9`}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </div>
  );
}
