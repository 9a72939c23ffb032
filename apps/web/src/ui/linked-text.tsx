import { Fragment, type ReactNode, useMemo } from 'react';

import { webLinks } from '../lib/web-links.ts';

/** A text whose web addresses are links. Addresses of other servers open in a new tab. */
export function LinkedText({ text }: { readonly text: string }): ReactNode {
  const parts = useMemo(() => webLinks(text), [text]);
  return parts.map(({ text: part, url }, at) =>
    url === undefined ? (
      <Fragment key={at}>{part}</Fragment>
    ) : (
      <a
        key={at}
        href={url}
        target={new URL(url).origin === location.origin ? undefined : '_blank'}
        rel="noreferrer"
        className="break-all underline decoration-line-strong underline-offset-2 hover:decoration-current"
      >
        {part}
      </a>
    ),
  );
}
