import { resolve } from 'node:path';

import { sensitiveFolder } from '@holdfast/base';

import { fileExists } from '../adapters/files.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { checkId } from '../model/ids.ts';
import {
  changeSettings,
  type ProjectSettings,
  readSettings,
  type SettingChanges,
  settingsInForce,
} from '../model/project-settings.ts';
import { textList } from '../model/texts.ts';
import type { NewProject } from '../operations/projects.ts';
import { recordEvent } from '../store/events.ts';
import {
  chosenProject,
  findProject,
  insertProject,
  listProjects,
  type Project,
  updateSettings,
} from '../store/projects.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';
import { knownWorker } from './workers.ts';

/** A project with its own settings. `in_force` has the settings that apply, including those from ringmaster.toml. */
export interface ShownProject extends Omit<Project, 'settings' | 'tech_stack'> {
  readonly tech_stack: readonly string[];
  readonly settings: ProjectSettings;
  readonly in_force: Required<ProjectSettings>;
}

export function addProject(
  rm: Ringmaster,
  { id, name, description, tech_stack = [] }: NewProject,
): Promise<ShownProject> {
  const call = callOf(rm);
  const chosen = checkId(id ?? slug(name));
  return rm.store.write(`project add ${chosen}`, (tx) => {
    if (findProject(tx, chosen) !== undefined)
      throw ringmasterErrors.PROJECT_EXISTS(`A project ${chosen} already exists`);
    insertProject(tx, {
      id: chosen,
      name,
      description: description ?? null,
      tech_stack: JSON.stringify(tech_stack),
      created_at: call.now,
    });
    const project = chosenProject(tx, chosen);
    recordEvent(tx, call, { type: 'project_created', entity: 'project', id: chosen, after: project });
    return shown(rm, project);
  });
}

/** Lists all projects without their settings, so that invalid settings do not hide a project. */
export function allProjects({ store }: Ringmaster): readonly Omit<ShownProject, 'settings' | 'in_force'>[] {
  return listProjects(store.reader).map(({ settings: _, tech_stack, ...project }) => ({
    ...project,
    tech_stack: textList(tech_stack),
  }));
}

/**
 * Returns the named project, or the only one if no name is given. Throws PROJECT_NOT_FOUND if there is no such project.
 */
export function showProject(rm: Ringmaster, { project }: { readonly project?: string | undefined }): ShownProject {
  return shown(rm, chosenProject(rm.store.reader, project));
}

/** Changes the settings of a project. New attempts use the new settings; running attempts keep theirs. */
export function setProject(
  rm: Ringmaster,
  { project, ...changes }: { readonly project?: string | undefined } & SettingChanges,
): Promise<ShownProject> {
  const call = callOf(rm);
  return rm.store.write(`project set ${Object.keys(changes).join(', ')}`, (tx) => {
    const before = chosenProject(tx, project);
    const settings = changeSettings(before.settings, changes);
    checkTogether(rm, settings);
    knownWorker(tx, changes.worker);
    if (settings === before.settings) return shown(rm, before);
    updateSettings(tx, before.id, settings, call.now);
    const after = chosenProject(tx, before.id);
    recordEvent(tx, call, {
      type: 'project_updated',
      entity: 'project',
      id: before.id,
      before: { settings: before.settings },
      after: { settings },
    });
    return shown(rm, after);
  });
}

function shown(rm: Ringmaster, { settings, tech_stack, ...project }: Project): ShownProject {
  const own = readSettings(settings);
  return { ...project, tech_stack: textList(tech_stack), settings: own, in_force: settingsInForce(rm.config.run, own) };
}

/** Finds mistakes that would otherwise appear only when the first task runs. */
function checkTogether({ config, workspace }: Ringmaster, settings: string | null): void {
  const { repository, review, review_command } = settingsInForce(config.run, readSettings(settings));
  if (review === 'command' && review_command.length === 0) {
    throw ringmasterErrors.SETTING_INVALID('review = command requires a review_command');
  }
  const folder = resolve(workspace.root, repository);
  if (!fileExists(folder)) throw ringmasterErrors.SETTING_INVALID(`The repository ${folder} does not exist`);
  const problem = sensitiveRepository(workspace.root, repository);
  if (problem !== undefined) throw ringmasterErrors.SETTING_INVALID(problem);
}

/**
 * Returns why a folder cannot be a repository; undefined if it can. Always allows the workspace itself, because a
 * person chose it with `ringmaster init`.
 */
function sensitiveRepository(root: string, repository: string): string | undefined {
  const folder = resolve(root, repository);
  const problem = folder === root ? undefined : sensitiveFolder(folder);
  return problem === undefined ? undefined : `${folder} cannot be a repository: ${problem}`;
}

/** Finds repositories that became sensitive after they were assigned to a project, and settings that cannot be read. */
export function sensitiveRepositories({ store, workspace }: Ringmaster): string[] {
  return listProjects(store.reader).flatMap(({ id, settings }) => {
    try {
      const problem = sensitiveRepository(workspace.root, readSettings(settings).repository ?? '');
      return problem === undefined ? [] : [`${id}: ${problem}`];
    } catch (error) {
      return [`${id}: ${(error as Error).message}`];
    }
  });
}

function slug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return plain === '' ? 'project' : plain.slice(0, 64);
}
