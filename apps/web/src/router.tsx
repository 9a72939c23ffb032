import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type RouteComponent,
} from '@tanstack/react-router';

import { meQuery, stateQuery } from './api/queries.ts';
import { queryClient } from './api/query-client.ts';
import { parseSearch, stringifySearch } from './lib/filters.ts';
import { loadPart } from './lib/lazy-part.ts';
import { SetupPage, SignInPage } from './pages/entry/entry-pages.tsx';
import { pages } from './pages/registry.ts';
import { Broken, NotFound } from './shell/error-pages.tsx';
import { Shell } from './shell/shell.tsx';
import { Skeleton } from './ui/page.tsx';

const root = createRootRoute({ component: Outlet, errorComponent: Broken, notFoundComponent: NotFound });
const signIn = createRoute({ getParentRoute: () => root, path: '/sign-in', component: SignInPage });
const setup = createRoute({ getParentRoute: () => root, path: '/setup', component: SetupPage });

/** Pages inside the shell require a session. Without one, the user signs in and then returns to the page. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  beforeLoad: async ({ location }) => {
    const state = await queryClient.ensureQueryData(stateQuery);
    if (state.user === null) {
      throw redirect({ to: state.needs_setup ? '/setup' : '/sign-in', search: { next: location.href } });
    }
    await queryClient.ensureQueryData(meQuery);
  },
});

const pageRoutes = pages.flatMap((page) => {
  const component: RouteComponent = lazyRouteComponent(() => loadPart(page.load), 'Component');
  return [page.path, ...(page.also ?? [])].map((path) => createRoute({ getParentRoute: () => shell, path, component }));
});

export const router = createRouter({
  routeTree: root.addChildren([signIn, setup, shell.addChildren(pageRoutes)]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: Skeleton,
  defaultErrorComponent: Broken,
  scrollRestoration: false,
});
