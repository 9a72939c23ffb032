/**
 * The audiobooks routes below `/api/audiobooks`, for a server that already has accounts and a dashboard.
 *
 * @module
 */
import type { RemoteTools } from '@holdfast/cli/mcp';
import { type App, defineApp, type Statuses } from '@holdfast/http';
import type { Overview } from '@holdfast/operation';

import { server, tools } from '../mcp/tools.ts';
import { type Audiobooks, openAudiobooks, storeLocation } from '../service/audiobooks.ts';
import { Maintenance } from '../service/maintenance.ts';
import { overview } from '../service/overview.ts';
import { audiobookshelfApp } from './audiobookshelf/app.ts';
import { bookRoutes } from './books.ts';
import { chapterRoutes } from './chapters.ts';
import { coverRoutes } from './covers.ts';
import { feedRoutes } from './feeds.ts';
import { fileRoutes } from './files.ts';
import { groupRoutes } from './groups.ts';
import { libraryRoutes } from './libraries.ts';
import { metadataRoutes } from './metadata.ts';
import { opdsRoutes } from './opds-routes.ts';
import { playlistRoutes } from './playlists.ts';
import { progressRoutes, statisticsRoutes } from './progress.ts';
import { streamRoutes } from './streams.ts';

/** The types of all routes, for a typed client. */
export type AudiobookRoutes = ReturnType<typeof routesOf>;

/** Error codes whose HTTP status differs from the default of their kind. */
const statuses: Statuses = {
  REVISION_STALE: 412,
  RIGHTS_MISSING: 403,
  OPERATIONS_FULL: 429,
  PROVIDER_INVALID: 502,
};

function routesOf(app: Audiobooks) {
  return [
    ...libraryRoutes(app),
    ...bookRoutes(app),
    ...coverRoutes(app),
    ...chapterRoutes(app),
    ...metadataRoutes(app),
    ...groupRoutes(app),
    ...fileRoutes(app),
    ...feedRoutes(app),
    ...opdsRoutes(app),
    ...progressRoutes(app),
    ...playlistRoutes(app),
    ...statisticsRoutes(app),
    ...streamRoutes(app),
  ] as const;
}

export function audiobooksApp(audiobooks: Audiobooks): App {
  return defineApp({ name: 'audiobooks', basePath: '/api/audiobooks', statuses, routes: routesOf(audiobooks) });
}

export interface OpenedApp {
  readonly app: App;
  readonly tools: RemoteTools;
  readonly overview: Overview;
  readonly others: readonly App[];
  close(): Promise<void>;
}

/** Opens the audiobooks application in a data home and starts its background work. The server closes it. */
export async function openAudiobooksApp(
  home: string,
  onProblem: (error: unknown) => void,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<OpenedApp> {
  const audiobooks = await openAudiobooks({ ...storeLocation(home, env), inBackground: true, onProblem });
  const maintenance = new Maintenance(audiobooks, onProblem);
  return {
    app: audiobooksApp(audiobooks),
    tools: { server, permission: 'app:audiobooks:read', open: (caller) => tools(audiobooks, caller) },
    overview: overview(audiobooks),
    others: [audiobookshelfApp(audiobooks)],
    async close() {
      await maintenance.close();
      await audiobooks.close();
    },
  };
}
