import type { Bookmark, Progress } from '../playback.ts';
import type { ClientIds } from './ids.ts';
import { bookmarkView, momentMs, progressView, SERVER_VERSION } from './views.ts';

/** Views of the user and of the server's settings, which clients read after signing in. */

interface UserInput {
  readonly id: string;
  readonly username: string;
  readonly createdAt: string;
  readonly token: string;
  readonly canDownload: boolean;
  /** Ids of the visible libraries, or all. */
  readonly libraries: 'all' | readonly string[];
  /** All of the user's positions: if one is missing here, some clients delete their own copy of it. */
  readonly progress: readonly { readonly entry: Progress; readonly durationMs: number }[];
  readonly bookmarks: readonly Bookmark[];
  readonly now: number;
}

export function userView(ids: ClientIds, user: UserInput) {
  return {
    id: ids.toClient(user.id),
    username: user.username,
    email: null,
    // Clients hide all administration from users of this type.
    type: 'user',
    token: user.token,
    mediaProgress: user.progress.map(({ entry, durationMs }) => progressView(ids, entry, durationMs)),
    seriesHideFromContinueListening: [],
    bookmarks: user.bookmarks.map((bookmark) => bookmarkView(ids, bookmark)),
    isActive: true,
    isLocked: false,
    lastSeen: user.now,
    createdAt: momentMs(user.createdAt),
    permissions: {
      download: user.canDownload,
      update: false,
      delete: false,
      upload: false,
      createEreader: false,
      accessAllLibraries: user.libraries === 'all',
      accessAllTags: true,
      accessExplicitContent: true,
      selectedTagsNotAccessible: false,
    },
    librariesAccessible: user.libraries === 'all' ? [] : user.libraries.map((library) => ids.toClient(library)),
    itemTagsSelected: [],
    hasOpenIDLink: false,
  };
}

/**
 * Contains every settings field of Audiobookshelf, because some clients require all fields and accept only certain
 * values.
 */
export const serverSettings = {
  id: 'server-settings',
  scannerParseSubtitle: false,
  scannerFindCovers: false,
  scannerCoverProvider: 'google',
  scannerPreferMatchedMetadata: false,
  scannerDisableWatcher: false,
  storeCoverWithItem: false,
  storeMetadataWithItem: false,
  metadataFileFormat: 'json',
  rateLimitLoginRequests: 10,
  rateLimitLoginWindow: 600_000,
  allowIframe: false,
  backupPath: '',
  backupSchedule: false,
  backupsToKeep: 2,
  maxBackupSize: 1,
  loggerDailyLogsToKeep: 7,
  loggerScannerLogsToKeep: 2,
  homeBookshelfView: 1,
  bookshelfView: 1,
  podcastEpisodeSchedule: '0 * * * *',
  sortingIgnorePrefix: false,
  sortingPrefixes: ['the', 'a', 'an'],
  chromecastEnabled: false,
  dateFormat: 'yyyy-MM-dd',
  timeFormat: 'HH:mm',
  language: 'en-us',
  allowedOrigins: [],
  logLevel: 2,
  version: SERVER_VERSION,
  buildNumber: 1,
  authLoginCustomMessage: null,
  authActiveAuthMethods: ['local'],
  authOpenIDIssuerURL: null,
  authOpenIDAuthorizationURL: null,
  authOpenIDTokenURL: null,
  authOpenIDUserInfoURL: null,
  authOpenIDJwksURL: null,
  authOpenIDLogoutURL: null,
  authOpenIDTokenSigningAlgorithm: 'RS256',
  authOpenIDButtonText: 'Login with OpenId',
  authOpenIDAutoLaunch: false,
  authOpenIDAutoRegister: false,
  authOpenIDMatchExistingBy: null,
  authOpenIDSubfolderForRedirectURLs: null,
} as const;

export const serverStatus = {
  app: 'audiobookshelf',
  serverVersion: SERVER_VERSION,
  isInit: true,
  language: 'en-us',
  authMethods: ['local'],
  authFormData: {},
} as const;
