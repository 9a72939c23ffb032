import { CloudOff, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

import { serverTrouble } from '../api/query-client.ts';
import { useStore } from '../lib/store.ts';
import { liveState } from '../live/streams.ts';

/** A problem of the server as a whole. Disappears when the server responds again. */
export function ServerBanner(): ReactNode {
  const trouble = useStore(serverTrouble);
  const live = useStore(liveState);
  const isLost = live === 'lost' || trouble?.status === 0;
  return (
    <div role="status">
      {isLost ? (
        <Banner icon={<CloudOff className="size-5" aria-hidden />} title="Reconnecting …">
          The server is unreachable. Check that <code className="font-mono text-[13px]">holdfast serve</code> is
          running. This page reconnects by itself; saved data is safe.
        </Banner>
      ) : (
        trouble !== undefined && (
          <Banner icon={<TriangleAlert className="size-5" aria-hidden />} title={trouble.title}>
            {trouble.hint} <span className="font-mono text-xs">{trouble.code}</span>
          </Banner>
        )
      )}
    </div>
  );
}

interface BannerProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children: ReactNode;
}

function Banner({ icon, title, children }: BannerProps): ReactNode {
  return (
    <div className="flex gap-3 border-b border-line bg-warn-soft px-4 py-3 text-warn sm:px-8">
      <span className="shrink-0">{icon}</span>
      <p className="min-w-0 break-words">
        <strong className="font-semibold">{title}</strong> <span>{children}</span>
      </p>
    </div>
  );
}
