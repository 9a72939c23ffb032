import { closest, storeAddress } from '@holdfast/base';
import { commandLineErrors } from '@holdfast/cli';
import type { RemoteTools } from '@holdfast/cli/mcp';
import type { App } from '@holdfast/http';
import type { Overview } from '@holdfast/operation';

import { commandBeside } from './adapters/commands-folder.ts';

/** An application that the server runs, with its routes. */
export interface HostedApp {
  readonly app: App;
  readonly overview: Overview;
  /** Routes of this application for clients other than the dashboard, below their own base paths. */
  readonly others?: readonly App[];
  /** Tools for agents, at `/mcp/NAME`. */
  readonly tools: RemoteTools;
  /** Reason why the application cannot work yet. The application's routes also report this reason. */
  readonly problem?: unknown;
  close(): Promise<void>;
}

/** Called for errors in background work; `place` says where the error occurred. */
type ProblemListener = (error: unknown, place?: object) => void;

type Environment = Readonly<Record<string, string | undefined>>;
type Loader = (home: string, onProblem: ProblemListener, env: Environment) => Promise<HostedApp>;

/**
 * Functions that load an application when the server needs it, and open its database below the data home or on a
 * PostgreSQL server.
 */
const loaders: Readonly<Record<string, Loader>> = {
  np: async (home, onProblem, env) =>
    (await import('@holdfast/np/http')).openNpApp(home, onProblem, storeAddress(home, env, 'np')),
  audiobooks: async (home, onProblem, env) =>
    (await import('@holdfast/audiobooks/http')).openAudiobooksApp(home, onProblem, env),
  codex: async (home, onProblem, env) => (await import('@holdfast/codex/http')).openCodexApp(home, onProblem, env),
  ringmaster: async (home, _, env) =>
    (await import('@holdfast/ringmaster/http')).openRingmasterApp({ home, env, command: commandBeside('ringmaster') }),
  utask: async (home, _, env) => (await import('@holdfast/utask/http')).openUtaskApp(home, env),
};

const all: readonly string[] = Object.keys(loaders);

/**
 * Returns the names of the applications to run. Each list contains names separated by commas. Without a list, returns
 * all applications.
 */
export function chosenApps(lists: readonly string[]): readonly string[] {
  const names = lists.flatMap((list) => list.split(',')).map((name) => name.trim());
  // Users know the application as `notebooks`; its internal name is `codex`.
  const chosen = names.map((name) => (name === 'notebooks' ? 'codex' : name));
  for (const name of chosen) {
    if (all.includes(name)) continue;
    const meant = closest(name, all);
    throw commandLineErrors.INVALID_ARGUMENT(`There is no application "${name}"`, {
      hint: meant === undefined ? `Choose from ${all.join(', ')}.` : `Did you mean "${meant}"?`,
    });
  }
  return chosen.length === 0 ? all : chosen;
}

/**
 * Loads the applications. One that cannot be opened, for example because of a wrong configuration, does not stop the
 * other applications.
 */
export async function loadApps(
  home: string,
  env: Environment,
  onLeftOut: (what: string, error: unknown) => void,
  onProblem: (app: string, ...problem: Parameters<ProblemListener>) => void = onLeftOut,
  names: readonly string[] = all,
): Promise<readonly HostedApp[]> {
  const loaded: HostedApp[] = [];
  for (const [name, load] of Object.entries(loaders)) {
    if (!names.includes(name)) continue;
    try {
      const hosted = await load(home, (error, place) => onProblem(name, error, place), env);
      loaded.push(hosted);
      if (hosted.problem !== undefined) onLeftOut(`${name} is not usable yet; trying again`, hosted.problem);
    } catch (error) {
      onLeftOut(`${name} could not be opened and is not served`, error);
    }
  }
  return loaded;
}
