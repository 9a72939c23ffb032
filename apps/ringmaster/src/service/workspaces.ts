import { join } from 'node:path';

import { sensitiveFolder, systemClock, textIfThere } from '@holdfast/base';
import type { Caller } from '@holdfast/operation';

import { loadConfig } from '../adapters/config-file.ts';
import { type LaunchRun, runLauncher } from '../adapters/launch-run.ts';
import {
  findRoot,
  type KnownWorkspace,
  knownWorkspaces,
  realDirectory,
  systemRandom,
  unregisterWorkspace,
  type Workspace,
  workspaceAt,
} from '../adapters/workspace.ts';
import type { Config } from '../model/config.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { findAttempt } from '../store/attempts.ts';
import type { Actor } from '../store/events.ts';
import type { AddWorkspaceInput } from '../operations/workspace.ts';
import { findWorker } from '../store/workers.ts';
import { initialise } from './initialise.ts';
import { allProjects } from './projects.ts';
import { openRingmaster, type Ringmaster } from './ringmaster.ts';
import { syncWorkers } from './workers.ts';

interface Opened {
  readonly settings: string | undefined;
  readonly rm: Promise<Ringmaster>;
}

/** The workspaces on this machine. Each is opened on first use, stays open, and applies changes to ringmaster.toml. */
export class Workspaces {
  readonly #home: string;
  readonly #opened = new Map<string, Opened>();
  /**
   * Workspaces that were opened again because `db_path` changed. They are closed only when the server stops, because
   * requests may still read from the old database.
   */
  readonly #left: Ringmaster[] = [];

  /** Starts the workers of a workspace. */
  readonly launch: LaunchRun;

  constructor(home: string, launch = runLauncher({ home, command: 'ringmaster', env: process.env })) {
    this.#home = home;
    this.launch = launch;
  }

  list(): readonly KnownWorkspace[] {
    return knownWorkspaces(this.#home);
  }

  /** `actor` is recorded as the author of every change made through the result. */
  async open(id: string, actor: Actor): Promise<Ringmaster> {
    const workspace = this.list().find((known) => known.id === id);
    if (workspace === undefined) throw ringmasterErrors.WORKSPACE_NOT_FOUND(`There is no workspace ${id}`);
    const before = this.#opened.get(id);
    // Compares the text itself, because two versions can have the same length and modification time.
    const settings = textIfThere(configPath(workspace.root));
    const opened =
      before !== undefined && before.settings === settings
        ? before
        : { settings, rm: this.#openAnew(workspace.root, before) };
    this.#opened.set(id, opened);
    try {
      return { ...(await opened.rm), actor };
    } catch (error) {
      // If the new settings are invalid, keeps the workspace open with the old ones. The next request tries again.
      if (this.#opened.get(id) !== opened) throw error;
      if (before === undefined || before === opened) this.#opened.delete(id);
      else this.#opened.set(id, before);
      throw error;
    }
  }

  /** Initialises a directory, given by its real path, as a workspace. */
  async create(root: string, name: string, actor: Actor): Promise<Ringmaster> {
    const rm = await openWorkspace(root, { actor, create: true });
    try {
      await initialise(rm, { home: this.#home, name });
    } finally {
      await rm.store.close();
    }
    return this.open(this.list().find((known) => known.root === root)?.id ?? '', actor);
  }

  /** Closes a workspace and no longer offers it. Its files stay. */
  async forget(root: string): Promise<void> {
    const known = this.list().find((each) => each.root === root);
    const opened = known === undefined ? undefined : this.#opened.get(known.id);
    unregisterWorkspace(this.#home, root);
    if (known === undefined || opened === undefined) return;
    this.#opened.delete(known.id);
    await (await opened.rm).store.close();
  }

  async #openAnew(root: string, before: Opened | undefined): Promise<Ringmaster> {
    const config = await loadConfig(configPath(root));
    const workspace = workspaceAt(root, config);
    const open = await before?.rm.catch(() => undefined);
    const isSame = open?.workspace.databasePath === workspace.databasePath;
    const rm = open !== undefined && isSame ? { ...open, config, workspace } : await openForServer(workspace, config);
    if (open !== undefined && !isSame) this.#left.push(open);
    if (config.workers.length > 0) await syncWorkers(rm);
    return rm;
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled([...this.#opened.values()].map(({ rm }) => rm));
    this.#opened.clear();
    for (const { store } of this.#left.splice(0)) await store.close();
    for (const result of opened) if (result.status === 'fulfilled') await result.value.store.close();
  }
}

function openForServer(workspace: Workspace, config: Config): Promise<Ringmaster> {
  const actor = { type: 'system', id: 'server' } as const;
  return openRingmaster({ workspace, config, clock: systemClock, random: systemRandom, actor });
}

export interface OpenedBy {
  readonly actor: Actor;
  /** Token of a claim. The worker that holds it becomes the actor. */
  readonly token?: number | undefined;
  /** Initialises the directory instead of looking for an initialised one above it. */
  readonly create?: boolean;
}

/** Opens the workspace around a directory for one command. The caller closes the store. */
export async function openWorkspace(
  directory: string,
  { actor, token, create = false }: OpenedBy,
): Promise<Ringmaster> {
  const root = create ? directory : findRoot(directory);
  const config = await loadConfig(configPath(root));
  const rm = await openRingmaster({
    workspace: workspaceAt(root, config),
    config,
    clock: systemClock,
    random: systemRandom,
    actor,
    create,
    processIsEnding: true,
  });
  if (config.workers.length > 0) await syncWorkers(rm);
  return { ...rm, actor: actingWorker(rm, token) ?? actor };
}

/**
 * Returns the worker that holds the token. Without a token, returns the worker with the same id as the actor, if there
 * is one.
 */
function actingWorker({ store, actor }: Ringmaster, token: number | undefined): Actor | undefined {
  const id = token === undefined ? actor.id : (findAttempt(store.reader, token)?.worker_id ?? actor.id);
  return findWorker(store.reader, id) === undefined ? undefined : { type: 'worker', id };
}

function configPath(root: string): string {
  return join(root, 'ringmaster.toml');
}

export interface DescribedWorkspace extends KnownWorkspace {
  readonly projects: ReturnType<typeof allProjects>;
  readonly problem: string | null;
}

export async function addWorkspace(
  workspaces: Workspaces,
  { path, name }: AddWorkspaceInput,
  caller: Caller,
): Promise<DescribedWorkspace> {
  const root = realDirectory(path);
  if (root === undefined) throw ringmasterErrors.WORKSPACE_FOLDER(`There is no directory ${path}.`);
  const problem = sensitiveFolder(root);
  if (problem !== undefined) throw ringmasterErrors.WORKSPACE_FOLDER(`${root} cannot be a workspace: ${problem}.`);
  const rm = await workspaces.create(root, name, { type: 'person', id: caller.name });
  const id = workspaces.list().find((known) => known.root === root)?.id ?? '';
  return { id, root, projects: allProjects(rm), problem: null };
}

/** Describes all workspaces. If a workspace cannot be opened, its `problem` says why. */
export function describeWorkspaces(workspaces: Workspaces, user: string): Promise<readonly DescribedWorkspace[]> {
  const described = workspaces.list().map(async ({ id, root }) => {
    try {
      const rm = await workspaces.open(id, { type: 'person', id: user });
      return { id, root, projects: allProjects(rm), problem: null };
    } catch (error) {
      return { id, root, projects: [], problem: error instanceof Error ? error.message : String(error) };
    }
  });
  return Promise.all(described);
}
