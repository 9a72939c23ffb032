import { type App, defineApp } from '@holdfast/http';
import type { Audiobooks } from '../../service/audiobooks.ts';
import { Catalogue } from '../../service/audiobookshelf/catalogue.ts';
import { CLIENTS_PATH, openClients } from '../../service/audiobookshelf/clients.ts';
import { accountRoutes } from './account-routes.ts';
import { libraryRoutes, WEB_VIEWS } from './library-routes.ts';
import { listRoutes } from './list-routes.ts';
import { playbackRoutes } from './playback-routes.ts';
import { clientRouter } from './router.ts';
import { socketUpgrade } from './socket.ts';

const routes = [...accountRoutes, ...libraryRoutes, ...playbackRoutes, ...listRoutes];

/**
 * The Audiobookshelf API, for apps made for Audiobookshelf. Stores only its own ids, sign-ins and playback sessions;
 * all other data comes from the services that the dashboard also uses.
 */
export function audiobookshelfApp(audiobooks: Audiobooks): App {
  const clients = openClients(audiobooks);
  const hono = clientRouter(clients, new Catalogue(audiobooks), routes);
  return defineApp({
    name: 'audiobookshelf',
    basePath: CLIENTS_PATH,
    routes: [],
    upgrades: [socketUpgrade(clients)],
    raw: [
      {
        hono,
        // The routes authenticate by themselves, because the server does not know the tokens that these clients send.
        permissions: Object.fromEntries(
          hono.routes.map(({ method, path }) => [`${method} ${path}`, 'public' as const]),
        ),
        // Clients show the body of an error as it is, for example below the password field.
        hasPlainErrors: true,
        relaxed: { readers: WEB_VIEWS, credentialsInUrl: ['token'] },
      },
    ],
  });
}
