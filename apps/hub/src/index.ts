import type { ownAccountRoutes, userRoutes } from './http/account-routes.ts';
import type { accountRoutes, authRoutes } from './http/auth-routes.ts';
import type { linkRoutes } from './http/oidc-routes.ts';
import type { overviewRoutes } from './http/overview-routes.ts';
import type { systemRoutes } from './http/system-routes.ts';

export { hubApps } from './hub.ts';
export type { AudiobookRoutes } from '@holdfast/audiobooks/http';
export type { CodexRoutes } from '@holdfast/codex/http';
export type { NpEvent, NpRoutes } from '@holdfast/np/http';
export type { RingmasterRoutes } from '@holdfast/ringmaster/http';
export type { UtaskRoutes } from '@holdfast/utask/http';

/** Route types for the dashboard's API client. */
export type AccountRoutes = readonly [
  ...ReturnType<typeof accountRoutes>,
  ...ReturnType<typeof ownAccountRoutes>,
  ...ReturnType<typeof linkRoutes>,
];
export type AuthRoutes = ReturnType<typeof authRoutes>;
export type OverviewRoutes = ReturnType<typeof overviewRoutes>;
export type SystemRoutes = ReturnType<typeof systemRoutes>;
export type UserRoutes = ReturnType<typeof userRoutes>;
