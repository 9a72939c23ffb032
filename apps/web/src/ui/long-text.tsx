import { type ReactNode, useState } from 'react';

import { LinkedText } from './linked-text.tsx';

const SHORT_LINES = 4;
const SHORT_LENGTH = 320;

export function LongText({ text }: { readonly text: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > SHORT_LENGTH || text.split('\n', SHORT_LINES + 1).length > SHORT_LINES;
  return (
    <div className="grid justify-items-start gap-1">
      <p
        dir="auto"
        className={`w-full break-words whitespace-pre-wrap text-muted ${isLong && !isOpen ? 'line-clamp-4' : ''}`}
      >
        <LinkedText text={text} />
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="text-[13px] font-medium text-accent-strong hover:underline"
        >
          {isOpen ? 'Show less' : 'Show all'}
        </button>
      )}
    </div>
  );
}
