import type { App } from '@holdfast/http';

/** An application of the server: its routes, and how to close it. */
export interface HostedApp {
  readonly app: App;
  /** Reason why the application cannot work yet. The application's routes also report this reason. */
  readonly problem?: unknown;
  close(): Promise<void>;
}

/** Called for errors of background work; `place` says where the error occurred. */
type ProblemListener = (error: unknown, place?: object) => void;

type Loader = (home: string, onProblem: ProblemListener) => Promise<HostedApp>;

/** Loaded only by the server; each opens its database below the data home. */
const loaders: Readonly<Record<string, Loader>> = {
  np: async (home) => (await import('@holdfast/np/http')).openNpApp(home),
  audiobooks: async (home, onProblem) => (await import('@holdfast/audiobooks/http')).openAudiobooksApp(home, onProblem),
  codex: async (home, onProblem) => (await import('@holdfast/codex/http')).openCodexApp(home, onProblem),
  ringmaster: async (home) => (await import('@holdfast/ringmaster/http')).openRingmasterApp(home),
  utask: async (home) => (await import('@holdfast/utask/http')).openUtaskApp(home),
};

/** An application that cannot be opened, for example with a wrong configuration, does not stop the others. */
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
      if (hosted.problem !== undefined) onLeftOut(`${name} is not usable yet; trying again`, hosted.problem);
    } catch (error) {
      onLeftOut(`${name} could not be opened and is not served`, error);
    }
  }
  return loaded;
}
