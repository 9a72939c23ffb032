import { ringmasterErrors } from '../model/errors.ts';
import { insertRow, type Tx, updateRow } from './open.ts';

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly tech_stack: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly settings: string | null;
}

export function findProject(tx: Tx, id: string): Project | undefined {
  return tx.get<Project>('SELECT * FROM projects WHERE id = ?', id);
}

export function listProjects(tx: Tx): Project[] {
  return tx.all<Project>('SELECT * FROM projects ORDER BY id');
}

export function chosenProject(tx: Tx, id: string | undefined): Project {
  if (id !== undefined) {
    const found = findProject(tx, id);
    if (found === undefined) {
      const isPriority = /^P\d$/.test(id);
      const hint = isPriority ? { hint: `-p names the project. For the priority write --priority ${id}.` } : {};
      throw ringmasterErrors.PROJECT_NOT_FOUND(`There is no project ${id}`, hint);
    }
    return found;
  }
  const all = tx.all<Project>('SELECT * FROM projects ORDER BY id LIMIT 2');
  if (all.length === 1 && all[0] !== undefined) return all[0];
  throw ringmasterErrors.PROJECT_NOT_FOUND(
    all.length === 0 ? 'There is no project yet' : 'There are several projects',
    {
      hint: all.length === 0 ? "Add one: ringmaster project add 'NAME'" : 'Choose one with --project.',
    },
  );
}

export function insertProject(tx: Tx, project: Omit<Project, 'updated_at' | 'settings'>): void {
  insertRow(tx, 'projects', { ...project, updated_at: project.created_at });
}

export function updateSettings(tx: Tx, id: string, settings: string | null, now: string): void {
  updateRow(tx, 'projects', { id }, { settings, updated_at: now });
}
