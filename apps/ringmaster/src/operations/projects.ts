import {
  boolean,
  choice,
  type GivenObject,
  list,
  nullable,
  object,
  optional,
  optionalList,
  pageOf,
  text,
} from '@holdfast/operation';

import { ringmasterErrors } from '../model/errors.ts';
import { reviews } from '../model/project-settings.ts';
import { defineOperation, listed, MANAGE, maybeText, PEOPLE_ONLY, project, READ, WRITE } from './fields.ts';

const words = list(text(undefined, { max: 4_096 }), { max: 100, summary: 'A command, word by word' });
const settings = {
  repository: text('Folder of its git repository', { max: 4_096 }),
  test_command: words,
  review: choice(reviews, 'Who reviews finished work'),
  review_command: words,
  auto_merge: boolean('Merge finished work at once'),
} as const;

const listedProject = {
  id: text(),
  name: text(),
  description: maybeText,
  tech_stack: list(text()),
  created_at: text(),
  updated_at: text(),
} as const;

export const projectSummary = object(listedProject);

const projectObject = object({
  ...listedProject,
  settings: object(
    {
      repository: optional(settings.repository),
      test_command: optional(words),
      review: optional(settings.review),
      review_command: optional(words),
      auto_merge: optional(settings.auto_merge),
    },
    { summary: 'Settings of the project itself' },
  ),
  in_force: object(settings, { summary: 'Settings that apply, with ringmaster.toml for the rest' }),
});

const newProject = {
  name: text('Name', { min: 1 }),
  id: optional(text('Id; default: made from the name')),
  description: optional(text('What it is about')),
  tech_stack: optionalList(text('Part of its tech stack')),
} as const;
export type NewProject = GivenObject<typeof newProject>;

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
  output: pageOf(projectSummary),
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
  summary: 'Change settings of one project that ringmaster.toml has for all',
  description: 'Null removes a setting. Attempts that start from now on use the new settings.',
  permission: MANAGE,
  input: {
    project,
    repository: optional(nullable(settings.repository)),
    test_command: optional(nullable(words)),
    review: optional(nullable(settings.review)),
    review_command: optional(nullable(words)),
    auto_merge: optional(nullable(settings.auto_merge)),
  },
  output: projectObject,
  errors: [ringmasterErrors.PROJECT_NOT_FOUND, ringmasterErrors.SETTING_INVALID],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/projects.ts')).setProject,
});
