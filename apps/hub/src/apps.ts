import type { App } from '@holdfast/http';

/** An application that the server runs: its routes, and how to end what it keeps open. */
export interface HostedApp {
  readonly app: App;
  /** Why it cannot do its work yet; its routes say so too, until it can. */
  readonly problem?: unknown;
  close(): Promise<void>;
}

/** Each is loaded only by the server, and opens its own database below the data home. */
const loaders: Readonly<Record<string, (home: string) => Promise<HostedApp>>> = {
  np: async (home) => (await import('@holdfast/np/http')).openNpApp(home),
  audiobooks: async (home) => (await import('@holdfast/audiobooks/http')).openAudiobooksApp(home),
  codex: async (home) => (await import('@holdfast/codex/http')).openCodexApp(home),
  ringmaster: async (home) => (await import('@holdfast/ringmaster/http')).openRingmasterApp(home),
  utask: async (home) => (await import('@holdfast/utask/http')).openUtaskApp(home),
};

/** One that cannot be opened, because its configuration is wrong for example, does not keep the others from running. */
export async function loadApps(
  home: string,
  onProblem: (name: string, error: unknown, isServed: boolean) => void,
): Promise<readonly HostedApp[]> {
  const loaded: HostedApp[] = [];
  for (const [name, load] of Object.entries(loaders)) {
    try {
      const hosted = await load(home);
      loaded.push(hosted);
      if (hosted.problem !== undefined) onProblem(name, hosted.problem, true);
    } catch (error) {
      onProblem(name, error, false);
    }
  }
  return loaded;
}
