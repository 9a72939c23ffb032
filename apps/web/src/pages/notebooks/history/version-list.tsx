import type { ReactNode } from 'react';

import type { Version } from '../../../api/types.ts';
import { Tag } from '../../../ui/badge.tsx';
import { Time } from '../../../ui/time.tsx';

interface VersionListProps {
  readonly versions: readonly Version[];
  readonly chosen: string;
  readonly base: string | undefined;
  readonly onChoose: (sha: string) => void;
  readonly onBase: (sha: string) => void;
}

/** Newest first. One version is selected; another one can be its base. */
export function VersionList({ versions, chosen, base, onChoose, onBase }: VersionListProps): ReactNode {
  return (
    <ol className="max-h-[60vh] divide-y divide-line overflow-y-auto border-t border-line">
      {versions.map(({ sha, author, at, subject }) => (
        <li key={sha} className={sha === chosen ? 'bg-accent-soft' : ''}>
          <button
            type="button"
            aria-pressed={sha === chosen}
            onClick={() => onChoose(sha)}
            className="grid w-full gap-0.5 px-4 pt-2.5 pb-1 text-left -outline-offset-2"
          >
            <span className="font-medium break-words">{subject}</span>
            <span className="flex flex-wrap gap-x-2 text-[13px] text-muted">
              <span>{author}</span>
              <Time at={at} />
              <span className="font-mono text-xs">{sha.slice(0, 8)}</span>
            </span>
          </button>
          <div className="flex min-h-8 items-center px-4 pb-1.5">
            {sha === base ? (
              <Tag>base</Tag>
            ) : (
              sha !== chosen && (
                <button
                  type="button"
                  onClick={() => onBase(sha)}
                  className="text-[13px] font-medium text-accent-strong hover:underline"
                >
                  Compare<span className="sr-only"> with {subject}</span>
                </button>
              )
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
