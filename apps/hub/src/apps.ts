import type { App } from '@holdfast/http';

/** An application that the server runs: its routes, and how to end what it keeps open. */
export interface HostedApp {
  readonly app: App;
  /** Why it cannot do its work yet; its routes say so too, until it can. */
  readonly problem?: unknown;
  close(): Promise<void>;
}

/** `onProblem` is told of what goes wrong in work that nobody waits for. */
type Loader = (home: string, onProblem: (error: unknown) => void) => Promise<HostedApp>;

/** Each is loaded only by the server, and opens its own database below the data home. */
const loaders: Readonly<Record<string, Loader>> = {
  np: async (home) => (await import('@holdfast/np/http')).openNpApp(home),
  audiobooks: async (home, onProblem) => (await import('@holdfast/audiobooks/http')).openAudiobooksApp(home, onProblem),
  codex: async (home) => (await import('@holdfast/codex/http')).openCodexApp(home),
  ringmaster: async (home) => (await import('@holdfast/ringmaster/http')).openRingmasterApp(home),
  utask: async (home) => (await import('@holdfast/utask/http')).openUtaskApp(home),
};

/** One that cannot be opened, because its configuration is wrong for example, does not keep the others from running. */
export async function loadApps(
  home: string,
  onProblem: (what: string, error: unknown) => void,
): Promise<readonly HostedApp[]> {
  const loaded: HostedApp[] = [];
  for (const [name, load] of Object.entries(loaders)) {
    try {
      const hosted = await load(home, (error) => onProblem(name, error));
      loaded.push(hosted);
      if (hosted.problem !== undefined) onProblem(`${name} is not usable yet, and tried again`, hosted.problem);
    } catch (error) {
      onProblem(`${name} is left out`, error);
    }
  }
  return loaded;
}
