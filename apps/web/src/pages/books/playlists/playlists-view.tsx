import type { ReactNode } from 'react';

import { Page } from '../../../ui/page.tsx';

export function View(): ReactNode {
  return <Page title="Playlists">{null}</Page>;
}
