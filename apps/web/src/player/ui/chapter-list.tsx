import { type ReactNode, useEffect, useRef } from 'react';

import { chapterAt, chaptersOf } from '../model/timeline.ts';
import type { PlayerView } from '../model/view.ts';
import { PlaceRow } from './place-row.tsx';

export function ChapterList({ view: { timeline, positionMs } }: { readonly view: PlayerView }): ReactNode {
  const list = useRef<HTMLOListElement>(null);
  const at = timeline === undefined ? -1 : chapterAt(timeline, positionMs);
  useEffect(() => {
    // Only the list is moved, not the page around it.
    const row = list.current?.querySelector<HTMLElement>('[data-current]');
    if (row && list.current) list.current.scrollTop = row.offsetTop - list.current.clientHeight / 2;
  }, [at]);
  const chapters = timeline === undefined ? [] : chaptersOf(timeline);
  if (chapters.length === 0) return <p className="px-3 py-4 text-muted">This book has no chapters.</p>;
  return (
    <ol ref={list} className="relative grid max-h-80 gap-0.5 overflow-y-auto" aria-label="Chapters">
      {chapters.map(({ title, start_ms: start }, index) => (
        <PlaceRow key={start} positionMs={start} isCurrent={index === at}>
          <bdi data-current={index === at || undefined}>{title}</bdi>
        </PlaceRow>
      ))}
    </ol>
  );
}
