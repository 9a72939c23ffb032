import { type ReactNode, Suspense } from 'react';

import { lazyPart } from '../lib/lazy-part.ts';
import type { PlotProps } from './plot-canvas.tsx';

const Canvas = lazyPart(async () => (await import('./plot-canvas.tsx')).PlotCanvas);

export function Plot(props: PlotProps): ReactNode {
  const last = props.values.at(-1);
  return (
    <figure className="min-w-0">
      <figcaption className="mb-2 flex items-baseline justify-between gap-3">
        <span className="text-[13px] text-muted">{props.title}</span>
        <span className="font-semibold tabular-nums">{last === undefined ? '–' : props.format(last)}</span>
      </figcaption>
      <div className="h-36" aria-hidden>
        <Suspense>
          <Canvas {...props} />
        </Suspense>
      </div>
    </figure>
  );
}
