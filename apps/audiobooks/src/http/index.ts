/**
 * The routes of audiobooks below `/api/audiobooks`, for a server that already has accounts and a dashboard.
 *
 * @module
 */
import { type App, defineApp, type Statuses } from '@holdfast/http';

import { type Audiobooks, openAudiobooks, storeLocation } from '../service/audiobooks.ts';
import { Maintenance } from '../service/maintenance.ts';
import { bookRoutes } from './book-routes.ts';
import { bookmarkRoutes } from './bookmark-routes.ts';
import { coverRoutes } from './cover-routes.ts';
import { editRoutes } from './edit-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { feedRoutes } from './feed-routes.ts';
import { groupRoutes } from './group-routes.ts';
import { libraryRoutes } from './library-routes.ts';
import { listeningRoutes } from './listening-routes.ts';
import { operationRoutes } from './operation-routes.ts';
import { opdsRoutes } from './opds-routes.ts';
import { playlistRoutes } from './playlist-routes.ts';
import { progressRoutes } from './progress-routes.ts';
import { rightsRoutes } from './rights-routes.ts';
import { searchRoutes } from './search-routes.ts';
import { shelfRoutes } from './shelf-routes.ts';
import { statsRoutes } from './stats-routes.ts';
import { streamRoutes } from './stream-routes.ts';
import { transferRoutes } from './transfer-routes.ts';
import { workRoutes } from './work-routes.ts';

export type { BookRowView } from './schemas.ts';

/** For a typed client. */
export type AudiobookRoutes = ReturnType<typeof routesOf>;

/** Codes whose status says more than their kind does. */
const statuses: Statuses = {
  BOOK_STALE: 412,
  RIGHTS_MISSING: 403,
  OPERATIONS_FULL: 429,
};

function routesOf(app: Audiobooks) {
  return [
    ...libraryRoutes(app),
    ...bookRoutes(app),
    ...editRoutes(app),
    ...coverRoutes(app),
    ...streamRoutes(app),
    ...groupRoutes(app),
    ...searchRoutes(app),
    ...rightsRoutes(app),
    ...operationRoutes(app),
    ...workRoutes(app),
    ...eventRoutes(app),
    ...feedRoutes(app),
    ...opdsRoutes(app),
    ...transferRoutes(app),
    ...listeningRoutes(app),
    ...progressRoutes(app),
    ...bookmarkRoutes(app),
    ...playlistRoutes(app),
    ...shelfRoutes(app),
    ...statsRoutes(app),
  ] as const;
}

export function audiobooksApp(app: Audiobooks): App {
  return defineApp({ name: 'audiobooks', basePath: '/api/audiobooks', statuses, routes: routesOf(app) });
}

export interface OpenedApp {
  readonly app: App;
  close(): Promise<void>;
}

/** Opens the library below the data home; the one who serves it closes it. */
export async function openAudiobooksApp(
  home: string,
  onProblem: (error: unknown) => void,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<OpenedApp> {
  const audiobooks = await openAudiobooks({ ...storeLocation(home, env), onProblem });
  const maintenance = new Maintenance(audiobooks, onProblem);
  return {
    app: audiobooksApp(audiobooks),
    async close() {
      await maintenance.close();
      await audiobooks.close();
    },
  };
}
