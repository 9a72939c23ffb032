import { type ReactNode, useEffect } from 'react';

import { followStream } from '../../live/streams.ts';
import { Page } from '../../ui/page.tsx';
import { codexStream } from '../notebooks/codex-stream.ts';

/** What is asked of the notebooks, and what became of it. */
export function Component(): ReactNode {
  useEffect(() => followStream(codexStream, 'page'), []);
  return (
    <Page title="Queue" description="What was asked of the notebooks, and what became of it.">
      {null}
    </Page>
  );
}
