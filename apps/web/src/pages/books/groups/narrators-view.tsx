import type { ReactNode } from 'react';

import { GroupsPage, inLibrary } from './groups-page.tsx';

export function View(): ReactNode {
  return (
    <GroupsPage
      kind="narrators"
      title="Narrators"
      description="The voices, and what they read."
      target={inLibrary('narrator')}
    />
  );
}
