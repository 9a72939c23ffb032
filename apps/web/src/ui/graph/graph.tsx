import { type ReactNode, Suspense, useState } from 'react';

import { lazyPart } from '../../lib/lazy-part.ts';
import { Segments } from '../field.tsx';
import { Skeleton } from '../page.tsx';
import { GraphList } from './graph-list.tsx';
import type { GraphProps } from './types.ts';

const Canvas = lazyPart(async () => (await import('./graph-canvas.tsx')).GraphCanvas);

const views = [
  { value: 'graph', label: 'Graph' },
  { value: 'list', label: 'List' },
] as const;

export function Graph(props: GraphProps): ReactNode {
  const [view, setView] = useState<'graph' | 'list'>('graph');
  const kinds = Object.entries(props.kinds ?? {});
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-line px-3 py-2">
        <Segments label={`${props.label} view`} value={view} options={views} onChange={setView} />
        {kinds.length > 1 && view === 'graph' && (
          <ul aria-label="Legend" className="flex flex-wrap gap-x-4 gap-y-1 text-[13px] text-muted">
            {kinds.map(([kind, { word, line }]) => (
              <li key={kind} className="flex items-center gap-2">
                <span
                  aria-hidden
                  className={`w-6 border-t-2 border-line-strong ${line === undefined ? '' : lineClass[line]}`}
                />
                {word}
              </li>
            ))}
          </ul>
        )}
      </div>
      {view === 'list' ? (
        <GraphList {...props} />
      ) : (
        <Suspense fallback={<Skeleton lines={5} />}>
          <Canvas {...props} />
        </Suspense>
      )}
    </div>
  );
}

const lineClass = { dashed: 'border-dashed', dotted: 'border-dotted' } as const;
