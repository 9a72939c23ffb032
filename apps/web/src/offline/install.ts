import { meQuery, stateQuery } from '../api/queries.ts';
import { queryClient } from '../api/query-client.ts';

/** Installs the service worker. Browsers allow one only over HTTPS or on the server's own machine. */
export function installServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // A new service worker has no stored answers, so this page reads its data again.
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    void queryClient.fetchQuery({ ...stateQuery, staleTime: 0 }).catch(() => undefined);
    void queryClient.fetchQuery({ ...meQuery, staleTime: 0 }).catch(() => undefined);
    void queryClient.invalidateQueries();
  });
  // Without a service worker, everything but offline use works.
  void navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' }).catch(() => undefined);
}
