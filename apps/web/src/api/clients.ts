import { createClient } from '@holdfast/http/client';
import type { HubApps } from '@holdfast/hub';

/** Typed by the routes themselves: what the server takes and gives is checked when this is compiled. */
export const authApi = createClient<HubApps[0]['routes']>('/api/auth');
export const accountApi = createClient<HubApps[1]['routes']>('/api/account');
export const usersApi = createClient<HubApps[2]['routes']>('/api/users', withoutSlash);
export const systemApi = createClient<HubApps[3]['routes']>('/api/system');

/** The route `/` of an application is at the address of the application itself, without a slash behind it. */
function withoutSlash(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  return fetch(typeof input === 'string' ? input.replace(/\/(?=\?|$)/, '') : input, init);
}
