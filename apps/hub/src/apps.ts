import type { App } from '@holdfast/http';

/** An application that the server runs: its routes, and how to end what it keeps open. */
export interface HostedApp {
  readonly app: App;
  /** Why it cannot do its work yet; its routes say so too, until it can. */
  readonly problem?: unknown;
  close(): Promise<void>;
}

/** Told of what goes wrong in work that nobody waits for, and where. */
type ProblemListener = (error: unknown, place?: object) => void;

type Loader = (home: string, onProblem: ProblemListener) => Promise<HostedApp>;

/** Each is loaded only by the server, and opens its own database below the data home. */
const loaders: Readonly<Record<string, Loader>> = {
  np: async (home) => (await import('@holdfast/np/http')).openNpApp(home),
  audiobooks: async (home, onProblem) => (await import('@holdfast/audiobooks/http')).openAudiobooksApp(home, onProblem),
  codex: async (home, onProblem) => (await import('@holdfast/codex/http')).openCodexApp(home, onProblem),
  ringmaster: async (home) => (await import('@holdfast/ringmaster/http')).openRingmasterApp(home),
  utask: async (home) => (await import('@holdfast/utask/http')).openUtaskApp(home),
};

/** One that cannot be opened, because its configuration is wrong for example, does not keep the others from running. */
export async function loadApps(
  home: string,
  onLeftOut: (what: string, error: unknown) => void,
  onProblem: (app: string, ...problem: Parameters<ProblemListener>) => void = onLeftOut,
): Promise<readonly HostedApp[]> {
  const loaded: HostedApp[] = [];
  for (const [name, load] of Object.entries(loaders)) {
    try {
      const hosted = await load(home, (error, place) => onProblem(name, error, place));
      loaded.push(hosted);
      if (hosted.problem !== undefined) onLeftOut(`${name} is not usable yet, and tried again`, hosted.problem);
    } catch (error) {
      onLeftOut(`${name} is left out`, error);
    }
  }
  return loaded;
}
