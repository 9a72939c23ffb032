import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { Place } from '../../api/ringmaster-client.ts';
import { attentionQuery, placesQuery } from '../../api/ringmaster-queries.ts';
import { count } from '../../lib/format.ts';
import { useMay } from '../../lib/permissions.ts';
import { Badge } from '../../ui/badge.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { placeName } from '../ringmaster/look.ts';
import { usePlacePace } from '../ringmaster/use-place-pace.ts';

/** What waits for a person and what workers are at, in every project; nothing to see where there is none. */
export function RingmasterCard(): ReactNode {
  const maySee = useMay('app:ringmaster:read');
  const { data: places = [] } = useQuery({ ...placesQuery, enabled: maySee });
  if (!maySee || places.length === 0) return null;
  return (
    <Card
      title="Ringmaster"
      description="Projects whose tasks workers do."
      actions={
        <Link to="/ringmaster" className={buttonClass('primary', 'small')}>
          Open ringmaster
        </Link>
      }
    >
      <ul className="grid gap-1">
        {places.map((place) => (
          <li key={place.id}>
            <PlaceLine place={place} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function PlaceLine({ place: { id, root, problem } }: { readonly place: Place }): ReactNode {
  const { data } = useQuery({ ...attentionQuery(id), ...usePlacePace(), enabled: problem === null });
  const needs = data === undefined ? 0 : data.inquiries.length + data.failed.length + data.review.length;
  return (
    <Link
      to="/ringmaster/$place/$view"
      params={{ place: id, view: 'board' }}
      className="-mx-2 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-2 py-1.5 hover:bg-sunken"
    >
      <span className="min-w-0 flex-1 basis-32 truncate font-medium">{placeName(root)}</span>
      {problem !== null && <Badge tone="bad">Cannot be opened</Badge>}
      {data !== undefined && (
        <>
          {needs > 0 ? (
            <Badge tone="warn">{count(needs, 'needs you', 'need you')}</Badge>
          ) : (
            <Badge tone="good">Nothing waits for you</Badge>
          )}
          {data.running.length > 0 && <Badge tone="busy">{count(data.running.length)} running</Badge>}
        </>
      )}
    </Link>
  );
}
