import { type ReactNode, useState } from 'react';

export interface PatchFile {
  readonly path: string;
  readonly lines: readonly string[];
}

/** A patch by files, without the lines that only git needs. */
export function filesOf(patch: string): readonly PatchFile[] {
  return patch
    .split(/^diff --git /mu)
    .slice(1)
    .map((text) => {
      const lines = text.replace(/\n$/u, '').split('\n');
      const first = lines.findIndex((line) => line.startsWith('@@'));
      const path = / b\/(.*)$/u.exec(lines[0] ?? '')?.[1] ?? lines[0] ?? '';
      return { path, lines: first < 0 ? [] : lines.slice(first) };
    });
}

const looks = [
  { sign: '+', word: 'added: ', colours: 'bg-good-soft text-good' },
  { sign: '-', word: 'removed: ', colours: 'bg-bad-soft text-bad' },
  { sign: '@', word: '', colours: 'text-info' },
] as const;

interface PatchViewProps extends PatchFile {
  readonly isOpen: boolean;
}

export function PatchView({ path, lines, isOpen: isOpenAtFirst }: PatchViewProps): ReactNode {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="min-w-0 overflow-hidden rounded-lg border border-line"
    >
      <summary className="bg-sunken px-3 py-1.5 font-mono text-[13px] break-all">{path}</summary>
      {isOpen && (
        // What scrolls must be reachable by keyboard
        <div
          role="region"
          aria-label={`Changes of ${path}`}
          tabIndex={0}
          className="max-h-96 overflow-auto font-mono text-[13px]"
        >
          {lines.map((line, at) => {
            const look = looks.find(({ sign }) => line.startsWith(sign));
            return (
              <div key={at} className={`px-3 break-all whitespace-pre-wrap ${look?.colours ?? 'text-muted'}`}>
                {look !== undefined && look.word !== '' && <span className="sr-only">{look.word}</span>}
                {line === '' ? ' ' : line}
              </div>
            );
          })}
        </div>
      )}
    </details>
  );
}
