import * as f from '@holdfast/operation';

import { ringmasterErrors } from '../model/errors.ts';
import { reviews } from '../model/project-settings.ts';
import { defineOperation, listed, MANAGE, maybeText, PEOPLE_ONLY, project, READ, WRITE } from './fields.ts';

const words = f.list(f.text(undefined, { max: 4_096 }), { max: 100, summary: 'Command as a list of words' });
const settings = {
  repository: f.text("Folder of the project's git repository", { max: 4_096 }),
  test_command: words,
  review: f.choice(reviews, 'Who reviews finished work'),
  review_command: words,
  auto_merge: f.boolean('Merge finished work automatically'),
  worker: f.text("Id or type of the worker that gets the project's tasks", { max: 200 }),
  model: f.text("Model for the project's workers", { max: 200 }),
  worker_args: f.list(f.text(undefined, { max: 4_096 }), {
    max: 100,
    summary: "Additional arguments for the project's workers",
  }),
} as const;

const listedProject = {
  id: f.text(),
  name: f.text(),
  description: maybeText,
  tech_stack: f.list(f.text()),
  created_at: f.text(),
  updated_at: f.text(),
} as const;

export const projectSummary = f.object(listedProject);

const projectObject = f.object({
  ...listedProject,
  settings: f.object(
    {
      repository: f.optional(settings.repository),
      test_command: f.optional(words),
      review: f.optional(settings.review),
      review_command: f.optional(words),
      auto_merge: f.optional(settings.auto_merge),
      worker: f.optional(settings.worker),
      model: f.optional(settings.model),
      worker_args: f.optional(settings.worker_args),
    },
    { summary: 'Settings of the project itself' },
  ),
  in_force: f.object(settings, {
    summary: 'Settings that apply: from the project, or else from ringmaster.toml',
  }),
});

const newProject = {
  name: f.text('Name', { min: 1 }),
  id: f.optional(f.text('Project id; default: derived from the name')),
  description: f.optional(f.text('What the project is about')),
  tech_stack: f.optionalList(f.text('Technology that the project uses')),
} as const;
export type NewProject = f.GivenObject<typeof newProject>;

export const addProject = defineOperation({
  name: 'project.add',
  summary: 'Add a project',
  permission: WRITE,
  input: newProject,
  output: projectObject,
  errors: [ringmasterErrors.PROJECT_EXISTS, ringmasterErrors.ID_INVALID],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/projects.ts')).addProject,
});

export const listProjects = defineOperation({
  name: 'project.list',
  summary: 'List projects',
  permission: READ,
  input: {},
  output: f.pageOf(projectSummary),
  absent: PEOPLE_ONLY,
  run: listed(async () => (await import('../service/projects.ts')).allProjects),
});

export const showProject = defineOperation({
  name: 'project.show',
  summary: 'Show a project, its settings, and where they come from',
  permission: READ,
  input: { project },
  output: projectObject,
  errors: [ringmasterErrors.PROJECT_NOT_FOUND, ringmasterErrors.SETTING_INVALID],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/projects.ts')).showProject,
});

export const setProject = defineOperation({
  name: 'project.set',
  summary: 'Override settings from ringmaster.toml for one project',
  description: 'A null value removes a setting. Only attempts that start later use the new settings.',
  permission: MANAGE,
  input: {
    project,
    repository: f.optional(f.nullable(settings.repository)),
    test_command: f.optional(f.nullable(words)),
    review: f.optional(f.nullable(settings.review)),
    review_command: f.optional(f.nullable(words)),
    auto_merge: f.optional(f.nullable(settings.auto_merge)),
    worker: f.optional(f.nullable(settings.worker)),
    model: f.optional(f.nullable(settings.model)),
    worker_args: f.optional(f.nullable(settings.worker_args)),
  },
  output: projectObject,
  errors: [ringmasterErrors.PROJECT_NOT_FOUND, ringmasterErrors.SETTING_INVALID, ringmasterErrors.WORKER_NOT_FOUND],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/projects.ts')).setProject,
});
