import { markdownOutline } from '@holdfast/base/markdown-outline';
import { ListTree } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';

import { Button } from '../../../ui/button.tsx';
import type { NoteController } from './note-controller.ts';

interface Heading {
  readonly line: number;
  readonly level: number;
  readonly title: string;
}

function headingsOf(text: string): readonly Heading[] {
  return [...markdownOutline(text)].flatMap((each) => (each.kind === 'heading' ? [each] : []));
}

interface OutlineProps {
  readonly controller: NoteController;
  /** True if only the preview is visible. */
  readonly isReading: boolean;
}

/** A button that lists the headings of the note; choosing one scrolls to it. */
export function Outline({ controller, isReading }: OutlineProps): ReactNode {
  const [headings, setHeadings] = useState<readonly Heading[]>();
  const button = useRef<HTMLDivElement>(null);
  const close = (): void => setHeadings(undefined);
  const go = (heading: Heading, at: number): void => {
    close();
    const preview = button.current?.closest('.note-editor')?.querySelector('.note-preview');
    const shown = preview?.querySelectorAll('[data-heading]:not(a)')[at];
    shown?.scrollIntoView({ block: 'start' });
    if (!isReading) controller.goToLine(heading.line);
  };
  return (
    <div
      ref={button}
      className="relative"
      onKeyDown={({ key }) => key === 'Escape' && close()}
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && close()}
    >
      <Button
        size="small"
        icon={ListTree}
        aria-expanded={headings !== undefined}
        onClick={() => setHeadings(headings === undefined ? headingsOf(controller.text.toString()) : undefined)}
      >
        Outline
      </Button>
      {headings !== undefined && (
        <nav
          aria-label="Outline"
          className="absolute top-full left-0 z-20 mt-1 max-h-[60vh] w-72 max-w-[80vw] overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-lg"
        >
          {headings.length === 0 && <p className="p-2 text-[13px] text-muted">This note has no headings</p>}
          <ul>
            {headings.map((heading, at) => (
              <li key={heading.line}>
                <button
                  type="button"
                  data-level={heading.level}
                  onClick={() => go(heading, at)}
                  className="note-outline-item block w-full truncate rounded px-2 py-1.5 text-left text-[13px] hover:bg-sunken focus:bg-sunken"
                >
                  {heading.title}
                </button>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}
