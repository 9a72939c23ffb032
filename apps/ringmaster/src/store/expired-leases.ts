import { metaText, setMeta } from './meta.ts';
import type { Tx } from './open.ts';

interface Sighting {
  readonly until: string;
  /** By the monotonic clock of the machine, which cannot be set. */
  readonly since: number;
}
/** When each attempt was first seen with an expired lease, by attempt id. */
export type ExpiredLeases = Map<number, Sighting>;

type Sightings = readonly (readonly [number, Sighting])[];

const KEY = 'expired_leases';

/** Sightings by earlier processes since the machine started. */
export function readExpiredLeases(tx: Tx, boot: string | null): ExpiredLeases {
  const text = metaText(tx, KEY);
  if (text === '') return new Map();
  const stored = JSON.parse(text) as { readonly boot: string | null; readonly seen: Sightings };
  return new Map(stored.boot === boot ? stored.seen : []);
}

export function writeExpiredLeases(tx: Tx, boot: string | null, seen: Sightings): void {
  setMeta(tx, KEY, JSON.stringify({ boot, seen }));
}
