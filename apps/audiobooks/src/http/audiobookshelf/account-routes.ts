import { isHoldfastError } from '@holdfast/base';
import { httpErrors } from '@holdfast/http';
import { serverSettings, serverStatus, userView } from '../../model/audiobookshelf/account-views.ts';
import { allProgress } from '../../service/audiobookshelf/library-items.ts';
import {
  type ClientUser,
  permanentToken,
  refresh,
  signIn,
  signOut,
  tokenPair,
} from '../../service/audiobookshelf/sign-ins.ts';
import { visibleLibraries } from '../../service/libraries.ts';
import { allBookmarks } from '../../service/listening/bookmarks.ts';
import { type ClientRequest, type ClientRoute, open, signedIn, text } from './router.ts';

/** Routes for the server's status, sign-in and the signed-in user. */
export const accountRoutes: readonly ClientRoute[] = [
  open('GET', '/status', () => serverStatus),
  open('GET', '/ping', () => ({ success: true })),
  open('GET', '/healthcheck', () => 'OK'),
  open('POST', '/login', login),
  open('POST', '/auth/refresh', refreshTokens),
  open('POST', '/logout', logout),
  signedIn('POST', '/api/authorize', (request) => loginAnswer(request, request)),
  signedIn('GET', '/api/me', (request) => userOf(request, request)),
];

const COOKIE = 'refresh_token';
const COOKIE_SECONDS = 30 * 24 * 60 * 60;

async function login(request: ClientRequest): Promise<Response> {
  const { body, clients, environment } = request;
  const source = { ip: environment.clientAddress, userAgent: request.request.headers.get('user-agent') ?? '' };
  try {
    const credentials = { name: text(body['username']) ?? '', password: text(body['password']) ?? '', source };
    return await withTokens(request, await signIn(clients, credentials));
  } catch (error) {
    // Responds with 401, because clients treat any other status as a broken server.
    if (isHoldfastError(error, 'CREDENTIALS_WRONG') || isHoldfastError(error, 'PASSWORD_INVALID'))
      throw httpErrors.UNAUTHENTICATED('The user name or password is wrong', { cause: error });
    throw error;
  }
}

async function refreshTokens(request: ClientRequest): Promise<Response> {
  const found = await refresh(request.clients, refreshTokenOf(request) ?? '');
  if (found === undefined) throw httpErrors.UNAUTHENTICATED('The refresh token is not valid; sign in again');
  return withTokens(request, found);
}

async function logout(request: ClientRequest): Promise<object> {
  const token = refreshTokenOf(request);
  if (token !== undefined) await signOut(request.clients, token);
  return { redirect_url: null };
}

function refreshTokenOf({ request: { headers } }: ClientRequest): string | undefined {
  const cookie = new RegExp(`(?:^|;\\s*)${COOKIE}=([^;]+)`, 'u').exec(headers.get('cookie') ?? '')?.[1];
  return headers.get('x-refresh-token') ?? cookie;
}

/**
 * Responds with a token pair. Only browsers get the refresh token as a cookie: other clients would send the cookie
 * without an Origin header, and the server refuses such requests.
 */
async function withTokens(request: ClientRequest, found: ClientUser): Promise<Response> {
  const { headers } = request.request;
  const pair = found.signIn === undefined ? undefined : tokenPair(request.clients, found.signIn, found.user);
  const answer = await loginAnswer(request, found);
  const isBrowser = headers.get('origin') !== null || headers.get('sec-fetch-site') !== null;
  const isInBody = headers.get('x-return-tokens') === 'true' || headers.get('x-refresh-token') !== null;
  const user = {
    ...answer.user,
    accessToken: pair?.accessToken,
    refreshToken: isInBody || !isBrowser ? pair?.refreshToken : null,
  };
  const response = Response.json({ ...answer, user });
  if (!isInBody && isBrowser) {
    const secure = request.environment.isSecure ? '; Secure' : '';
    const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${COOKIE_SECONDS}${secure}`;
    response.headers.append('set-cookie', `${COOKIE}=${pair?.refreshToken}; ${attributes}`);
  }
  return response;
}

async function loginAnswer(request: ClientRequest, found: ClientUser) {
  const { clients, ids } = request;
  const [library] = await visibleLibraries(clients.audiobooks, found.listener);
  return {
    user: await userOf(request, found),
    // Some clients do not accept null.
    userDefaultLibraryId: library === undefined ? '' : ids.toClient(library.id),
    serverSettings,
    ereaderDevices: [],
    Source: 'holdfast',
  };
}

/** Returns the user with all positions and bookmarks. */
export async function userOf({ clients, ids }: Pick<ClientRequest, 'clients' | 'ids'>, found: ClientUser) {
  const { audiobooks } = clients;
  const { user, listener, signIn: current } = found;
  const { can, libraries } = listener;
  return userView(ids, {
    id: user.id,
    username: user.username,
    createdAt: user.created_at,
    // A separate token: if it were equal to the bearer token, some clients would assume an old server and sign out.
    token: current === undefined ? '' : permanentToken(clients, current, user),
    canDownload: can.download,
    libraries: libraries === 'all' ? 'all' : [...libraries],
    progress: await audiobooks.reader.snapshot((reads) => allProgress(reads, listener)),
    bookmarks: await allBookmarks(audiobooks, listener),
    now: audiobooks.now(),
  });
}
