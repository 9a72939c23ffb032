import { useLocation, useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';

import { followStream } from '../../live/streams.ts';
import { codexStream } from './codex-stream.ts';
import type { NotebookViewName } from './notebook-content.tsx';
import { NotebookLayout } from './notebook-layout.tsx';
import { NotebooksList } from './notebooks-list.tsx';

interface Params {
  readonly id?: string;
  readonly file?: string;
}

export function Component(): ReactNode {
  const { id, file }: Params = useParams({ strict: false });
  const { pathname } = useLocation();
  useEffect(() => followStream(codexStream, 'page'), []);
  if (id === undefined) return <NotebooksList />;
  return <NotebookLayout key={id} id={id} fileId={file} view={viewOf(pathname)} />;
}

function viewOf(pathname: string): NotebookViewName {
  const last = pathname.split('/').at(-1);
  return last === 'history' || last === 'search' ? last : 'note';
}
