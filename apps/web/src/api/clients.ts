import { createClient } from '@holdfast/http/client';
import type { HubApps, NpRoutes, UtaskRoutes } from '@holdfast/hub';

/** Typed by the routes themselves: what the server takes and gives is checked when this is compiled. */
export const authApi = createClient<HubApps[0]['routes']>('/api/auth');
export const accountApi = createClient<HubApps[1]['routes']>('/api/account');
export const usersApi = createClient<HubApps[2]['routes']>('/api/users');
export const systemApi = createClient<HubApps[3]['routes']>('/api/system');
export const npApi = createClient<NpRoutes>('/api/np');
export const utaskApi = createClient<UtaskRoutes>('/api/utask');
