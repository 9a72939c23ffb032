import type { ReactNode } from 'react';

import { useStore } from '../../lib/store.ts';
import { AnnounceChanges } from '../../ui/announce.tsx';
import { workspaceChanges } from './workspace-stream.ts';

export function AnnounceWorkspace(): ReactNode {
  return (
    <AnnounceChanges
      changes={useStore(workspaceChanges)}
      describe={({ entity_id: id, event_type: type }) => `${id}: ${type.replaceAll('_', ' ')}`}
    />
  );
}
