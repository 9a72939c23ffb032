import { resolve } from 'node:path';

import { fileExists } from '../adapters/files.ts';
import { ringmasterErrors } from '../model/errors.ts';
import {
  changeSettings,
  type ProjectSettings,
  readSettings,
  type SettingChanges,
  settingsInForce,
} from '../model/project-settings.ts';
import { textList } from '../model/text-list.ts';
import { recordEvent } from '../store/events.ts';
import { chosenProject, type Project, updateSettings } from '../store/projects.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

/** A project with what it sets itself, and with what counts in the end. */
export interface ShownProject extends Omit<Project, 'settings' | 'tech_stack'> {
  readonly tech_stack: readonly string[];
  readonly settings: ProjectSettings;
  readonly in_force: Required<ProjectSettings>;
}

export function showProject(rm: Ringmaster, id: string | undefined): ShownProject {
  return shown(rm, chosenProject(rm.store.reader, id));
}

/** The next attempt that is begun goes by it; those under way go on with what they began with. */
export function setProject(rm: Ringmaster, id: string | undefined, changes: SettingChanges): Promise<ShownProject> {
  const call = callOf(rm);
  return rm.store.write(`project set ${Object.keys(changes).join(', ')}`, (tx) => {
    const before = chosenProject(tx, id);
    const settings = changeSettings(before.settings, changes);
    checkTogether(rm, settings);
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
  const stack = textList(tech_stack);
  return { ...project, tech_stack: stack, settings: own, in_force: settingsInForce(rm.config.run, own) };
}

/** Mistakes that would otherwise be noticed when the first task is run. */
function checkTogether({ config, workspace }: Ringmaster, settings: string | null): void {
  const { repository, review, review_command } = settingsInForce(config.run, readSettings(settings));
  if (review === 'command' && review_command.length === 0) {
    throw ringmasterErrors.SETTING_INVALID('review = command needs a review_command, and there is none');
  }
  const folder = resolve(workspace.root, repository);
  if (!fileExists(folder)) throw ringmasterErrors.SETTING_INVALID(`The repository ${folder} does not exist`);
}
