import type { App } from '@holdfast/http';

/** An application that the server runs: its routes, and how to end what it keeps open. */
export interface HostedApp {
  readonly app: App;
  close(): Promise<void>;
}

/** Each is loaded only by the server, and opens its own database below the data home. */
const loaders: readonly ((home: string) => Promise<HostedApp>)[] = [
  async (home) => (await import('@holdfast/np/http')).openNpApp(home),
];

export async function loadApps(home: string): Promise<readonly HostedApp[]> {
  const loaded: HostedApp[] = [];
  for (const load of loaders) loaded.push(await load(home));
  return loaded;
}
