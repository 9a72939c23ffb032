import type { Principal } from '@holdfast/http';

import type { Places } from '../service/places.ts';
import type { Ringmaster } from '../service/ringmaster.ts';

/** The place that is asked for, in the name of whoever asks. */
export function placeFor(
  places: Places,
  { params, principal }: { readonly params: { readonly place: string }; readonly principal: Principal },
): Promise<Ringmaster> {
  return places.open(params.place, { type: 'person', id: principal.name });
}

export const readPermission = 'app:ringmaster:read';
export const writePermission = 'app:ringmaster:write';
/** What is run on this machine, and where: a project names commands, which no task can do. */
export const managePermission = 'app:ringmaster:admin';
