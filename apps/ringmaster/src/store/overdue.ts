import { metaText, setMeta } from './meta.ts';
import type { Tx } from './open.ts';

interface Sighting {
  readonly until: string;
  /** By the clock of the machine while it is awake, which nobody sets. */
  readonly since: number;
}
/** Since when the leases of attempts are known to be over. */
export type Overdue = Map<number, Sighting>;

type Sightings = readonly (readonly [number, Sighting])[];

const KEY = 'overdue';

/** What those saw who looked before, since the machine was started. */
export function storedOverdue(tx: Tx, boot: string | null): Overdue {
  const text = metaText(tx, KEY);
  if (text === '') return new Map();
  const stored = JSON.parse(text) as { readonly boot: string | null; readonly seen: Sightings };
  return new Map(stored.boot === boot ? stored.seen : []);
}

export function storeOverdue(tx: Tx, boot: string | null, seen: Sightings): void {
  setMeta(tx, KEY, JSON.stringify({ boot, seen }));
}
