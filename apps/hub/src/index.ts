export { type Hub, hubApps, type HubApps, type HubOptions, openHub, pages, VERSION } from './hub.ts';
export type { NpEvent, NpRoutes } from '@holdfast/np/http';
export type { UtaskRoutes } from '@holdfast/utask/http';
