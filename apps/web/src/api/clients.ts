import { createClient } from '@holdfast/http/client';
import type {
  AccountRoutes,
  AudiobookRoutes,
  AuthRoutes,
  CodexRoutes,
  NpRoutes,
  OverviewRoutes,
  RingmasterRoutes,
  SystemRoutes,
  UserRoutes,
  UtaskRoutes,
} from '@holdfast/hub';

import { fetchNoticing } from '../offline/stored-answers.ts';

/** The types come from the server's routes: a request that does not match its route does not compile. */
export const authApi = createClient<AuthRoutes>('/api/auth', fetchNoticing);
export const accountApi = createClient<AccountRoutes>('/api/account', fetchNoticing);
export const usersApi = createClient<UserRoutes>('/api/users', fetchNoticing);
/** Routes that cover all applications. */
export const overviewApi = createClient<OverviewRoutes>('/api', fetchNoticing);
export const systemApi = createClient<SystemRoutes>('/api/system', fetchNoticing);
export const npApi = createClient<NpRoutes>('/api/np', fetchNoticing);
export const utaskApi = createClient<UtaskRoutes>('/api/utask', fetchNoticing);
export const codexApi = createClient<CodexRoutes>('/api/codex', fetchNoticing);
export const booksApi = createClient<AudiobookRoutes>('/api/audiobooks', fetchNoticing);
export const ringmasterApi = createClient<RingmasterRoutes>('/api/ringmaster', fetchNoticing);
