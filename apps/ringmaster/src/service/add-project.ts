import { ringmasterErrors } from '../model/errors.ts';
import { checkId } from '../model/ids.ts';
import { recordEvent } from '../store/events.ts';
import { chosenProject, findProject, insertProject, type Project } from '../store/projects.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export interface NewProject {
  readonly id?: string | undefined;
  readonly name: string;
  readonly description?: string | undefined;
  readonly techStack?: readonly string[];
}

export function addProject(rm: Ringmaster, { id, name, description, techStack = [] }: NewProject): Promise<Project> {
  const call = callOf(rm);
  const chosen = checkId(id ?? slug(name));
  return rm.store.write(`project add ${chosen}`, (tx) => {
    if (findProject(tx, chosen) !== undefined) throw ringmasterErrors.PROJECT_EXISTS(`There is a project ${chosen}`);
    insertProject(tx, {
      id: chosen,
      name,
      description: description ?? null,
      tech_stack: JSON.stringify(techStack),
      created_at: call.now,
    });
    const project = chosenProject(tx, chosen);
    recordEvent(tx, call, { type: 'project_created', entity: 'project', id: chosen, after: project });
    return project;
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
