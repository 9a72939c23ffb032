import { createClient } from '@holdfast/http/client';
import type { AccountRoutes, AuthRoutes, NpRoutes, SystemRoutes, UserRoutes, UtaskRoutes } from '@holdfast/hub';

/** Typed by the routes themselves: what the server takes and gives is checked when this is compiled. */
export const authApi = createClient<AuthRoutes>('/api/auth');
export const accountApi = createClient<AccountRoutes>('/api/account');
export const usersApi = createClient<UserRoutes>('/api/users');
export const systemApi = createClient<SystemRoutes>('/api/system');
export const npApi = createClient<NpRoutes>('/api/np');
export const utaskApi = createClient<UtaskRoutes>('/api/utask');
