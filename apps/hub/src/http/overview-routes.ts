import { routesFor } from '@holdfast/http';

import { type Everything, find, listActivity, showInbox, showLinks, snoozeItem } from '../operations/overview.ts';

/** Routes that cover all applications. */
export function overviewRoutes(everything: Everything) {
  const route = routesFor<Everything>(() => everything);
  return [
    route(find, { method: 'GET', path: '/search' }),
    route(listActivity, { method: 'GET', path: '/activity' }),
    route(showLinks, { method: 'GET', path: '/links' }),
    route(showInbox, { method: 'GET', path: '/inbox' }),
    route(snoozeItem, { method: 'POST', path: '/inbox/snooze' }),
  ] as const;
}
