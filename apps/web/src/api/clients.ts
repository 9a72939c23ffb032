import { createClient } from '@holdfast/http/client';
import type {
  AccountRoutes,
  AudiobookRoutes,
  AuthRoutes,
  CodexRoutes,
  NpRoutes,
  RingmasterRoutes,
  SystemRoutes,
  UserRoutes,
  UtaskRoutes,
} from '@holdfast/hub';

/** The types come from the server's routes: a request that does not match its route does not compile. */
export const authApi = createClient<AuthRoutes>('/api/auth');
export const accountApi = createClient<AccountRoutes>('/api/account');
export const usersApi = createClient<UserRoutes>('/api/users');
export const systemApi = createClient<SystemRoutes>('/api/system');
export const npApi = createClient<NpRoutes>('/api/np');
export const utaskApi = createClient<UtaskRoutes>('/api/utask');
export const codexApi = createClient<CodexRoutes>('/api/codex');
export const booksApi = createClient<AudiobookRoutes>('/api/audiobooks');
export const ringmasterApi = createClient<RingmasterRoutes>('/api/ringmaster');
