import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';

import { IconButton } from '../../ui/button.tsx';

export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const next = [...items];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}

interface MoveButtonsProps {
  readonly title: string;
  readonly at: number;
  readonly length: number;
  readonly onMove: (to: number) => void;
}

/** The buttons stay enabled at the ends of the list: a disabled button would lose the focus. */
export function MoveButtons({ title, at, length, onMove }: MoveButtonsProps): ReactNode {
  return (
    <>
      <IconButton
        label={`Move ${title} up`}
        icon={ArrowUp}
        aria-disabled={at === 0}
        onClick={() => at > 0 && onMove(at - 1)}
      />
      <IconButton
        label={`Move ${title} down`}
        icon={ArrowDown}
        aria-disabled={at === length - 1}
        onClick={() => at < length - 1 && onMove(at + 1)}
      />
    </>
  );
}
