import { Fragment, type ReactNode, useMemo } from 'react';

import { webLinks } from '../lib/web-links.ts';
import { CrossLink } from './cross-link.tsx';

/** A text whose web addresses are links. For an address in this dashboard, the link shows the title of its target. */
export function LinkedText({ text }: { readonly text: string }): ReactNode {
  const parts = useMemo(() => webLinks(text), [text]);
  return parts.map(({ text: part, url }, at) =>
    url === undefined ? (
      <Fragment key={at}>{part}</Fragment>
    ) : new URL(url).origin === location.origin ? (
      <CrossLink key={at} url={url} />
    ) : (
      <a
        key={at}
        href={url}
        target="_blank"
        rel="noreferrer"
        className="break-all underline decoration-line-strong underline-offset-2 hover:decoration-current"
      >
        {part}
      </a>
    ),
  );
}
