import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { jumpsQuery } from '../../api/audiobooks-queries.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Time } from '../../ui/time.tsx';
import { deviceName } from '../engine/device.ts';
import { PlaceRow } from './place-row.tsx';

/** Where the listener was before each jump, on any device: nothing is lost by a slip of the thumb. */
export function JumpList({ bookId }: { readonly bookId: string }): ReactNode {
  return (
    <Loaded query={useQuery({ ...jumpsQuery(bookId), staleTime: 0 })}>
      {(jumps) =>
        jumps.length === 0 ? (
          <p className="px-3 py-4 text-muted">When you jump to another place, the one you left is kept here.</p>
        ) : (
          <ul aria-label="Places you left" className="grid max-h-80 gap-0.5 overflow-y-auto">
            {jumps.map(({ position_ms: positionMs, at, device_id: device }) => (
              <PlaceRow key={`${at} ${positionMs}`} positionMs={positionMs}>
                <Time at={at} /> <span className="text-muted">with {deviceName(device)}</span>
              </PlaceRow>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
