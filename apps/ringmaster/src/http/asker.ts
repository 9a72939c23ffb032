import { httpErrors, type Principal } from '@holdfast/http';

import { nulIn } from '../model/texts.ts';
import type { Places } from '../service/places.ts';
import type { Ringmaster } from '../service/ringmaster.ts';

interface Asked {
  readonly params: { readonly place: string };
  readonly principal: Principal;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** The place that is asked for, in the name of whoever asks. */
export function placeFor(places: Places, asked: Asked): Promise<Ringmaster> {
  refuseNul(asked);
  return places.open(asked.params.place, { type: 'person', id: asked.principal.name });
}

/** No text of ours may have one, so it is looked for once here and not in every schema. */
function refuseNul({ params, query, body }: Asked): void {
  for (const [part, value] of Object.entries({ params, query, body })) {
    const path = nulIn(value);
    if (path === undefined) continue;
    const message = 'has a NUL character, which cannot be stored';
    const details = { errors: [{ in: part, path, code: 'invalid_format', message }] };
    throw httpErrors.VALIDATION_FAILED(`${part}${path}: ${message}`, { details });
  }
}

export const readPermission = 'app:ringmaster:read';
export const writePermission = 'app:ringmaster:write';
/** What is run on this machine, and where: a project names commands, which no task can do. */
export const managePermission = 'app:ringmaster:admin';
