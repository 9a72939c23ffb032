import { defineRoute, ok } from '@holdfast/http';
import { z } from 'zod';

import { ringmasterErrors } from '../model/errors.ts';
import { reviews } from '../model/project-settings.ts';
import type { Workspaces } from '../service/workspaces.ts';
import { setProject, showProject, type ShownProject } from '../service/projects.ts';
import { managePermission, requestWorkspace, readPermission } from './request-workspace.ts';

const errors = [
  ringmasterErrors.WORKSPACE_NOT_FOUND,
  ringmasterErrors.PROJECT_NOT_FOUND,
  ringmasterErrors.SETTING_INVALID,
];
const path = '/workspaces/{workspace}/projects/{id}/settings';

const words = z.array(z.string().max(4_096)).max(100);
const settings = {
  repository: z.string().max(4_096),
  test_command: words,
  review: z.enum(reviews),
  review_command: words,
  auto_merge: z.boolean(),
};
const inForce = z.object(settings);
const shownSchema = z.object({
  /** What the project sets itself. */
  settings: inForce.partial(),
  /** What counts, with ringmaster.toml for the rest. */
  in_force: inForce,
});
const changes = z.strictObject({
  repository: settings.repository.nullable().optional().meta({ description: 'Null takes a setting off' }),
  test_command: settings.test_command.nullable().optional(),
  review: settings.review.nullable().optional(),
  review_command: settings.review_command.nullable().optional(),
  auto_merge: settings.auto_merge.nullable().optional(),
});

export function projectRoutes(workspaces: Workspaces) {
  const show = defineRoute({
    method: 'GET',
    path,
    permission: readPermission,
    summary: 'What a project sets differently from ringmaster.toml, and what counts in the end',
    responses: { 200: shownSchema },
    errors,
    handler: async (input) =>
      ok(shown(showProject(await requestWorkspace(workspaces, input), { project: input.params.id }))),
  });
  const change = defineRoute({
    method: 'PATCH',
    path,
    permission: managePermission,
    summary: 'Sets or takes off settings of a project; attempts that begin from now on go by them',
    request: { body: changes },
    responses: { 200: shownSchema },
    errors,
    handler: async (input) =>
      ok(
        shown(await setProject(await requestWorkspace(workspaces, input), { ...input.body, project: input.params.id })),
      ),
  });
  return [show, change] as const;
}

/** Lists that may be written to, as the schema of the answer has them. */
function shown({ settings: own, in_force }: ShownProject): z.infer<typeof shownSchema> {
  const { test_command: tests, review_command: review, ...rest } = own;
  return {
    settings: {
      ...rest,
      ...(tests === undefined ? {} : { test_command: [...tests] }),
      ...(review === undefined ? {} : { review_command: [...review] }),
    },
    in_force: {
      ...in_force,
      test_command: [...in_force.test_command],
      review_command: [...in_force.review_command],
    },
  };
}
