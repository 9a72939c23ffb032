import { defineRoute, ok } from '@holdfast/http';
import { z } from 'zod';

import { ringmasterErrors } from '../model/errors.ts';
import { drawGraph } from '../service/draw-graph.ts';
import type { Workspaces } from '../service/workspaces.ts';
import { allProjects } from '../service/projects.ts';
import { dailyMetrics, statusOf } from '../service/status.ts';
import { pauseAll } from '../service/workers.ts';
import type { Ringmaster } from '../service/ringmaster.ts';
import { requestWorkspace, readPermission, writePermission } from './request-workspace.ts';
import { workspaceSchema, statusSchema } from './schemas.ts';

const errors = [ringmasterErrors.WORKSPACE_NOT_FOUND];

export function workspaceRoutes(workspaces: Workspaces) {
  const list = defineRoute({
    method: 'GET',
    path: '/workspaces',
    permission: readPermission,
    summary: 'The project directories of this machine, with their projects',
    responses: { 200: z.object({ data: z.array(workspaceSchema) }) },
    handler: async ({ principal }) => {
      const described = workspaces.list().map(async ({ id, root }) => {
        try {
          const rm = await workspaces.open(id, { type: 'person', id: principal.name });
          return { id, root, projects: [...allProjects(rm)], problem: null };
        } catch (error) {
          return { id, root, projects: [], problem: error instanceof Error ? error.message : String(error) };
        }
      });
      return ok({ data: await Promise.all(described) });
    },
  });
  const status = defineRoute({
    method: 'GET',
    path: '/workspaces/{workspace}/status',
    permission: readPermission,
    summary: 'How much there is of everything',
    request: { query: z.object({ project: z.string().optional() }) },
    responses: { 200: statusSchema },
    errors,
    handler: async (input) => ok(statusWithPause(await requestWorkspace(workspaces, input), input.query.project)),
  });
  const pause = defineRoute({
    method: 'PUT',
    path: '/workspaces/{workspace}/paused',
    permission: writePermission,
    summary: 'Whether supervisors begin anything new; what is being worked on goes on',
    request: { body: z.strictObject({ paused: z.boolean() }) },
    responses: { 200: statusSchema },
    errors,
    handler: async (input) => {
      const rm = await requestWorkspace(workspaces, input);
      await pauseAll(rm, input.body);
      return ok(statusWithPause(rm, undefined));
    },
  });
  return [list, status, pause, ...pictureRoutes(workspaces)] as const;
}

function statusWithPause(rm: Ringmaster, project: string | undefined): z.infer<typeof statusSchema> {
  const { tasks, workers, ...rest } = statusOf(rm, { project });
  return { ...rest, tasks: { ...tasks }, workers: { ...workers } };
}

const nodeSchema = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  type: z.string(),
  priority: z.string(),
  parent_id: z.string().nullable(),
  combined_priority: z.number(),
  on_critical_path: z.boolean(),
});
const edgeSchema = z.object({ from: z.string(), to: z.string(), type: z.string() });
const daySchema = z.object({
  day: z.string(),
  succeeded: z.int(),
  failed: z.int(),
  other: z.int(),
  average_seconds: z.number().nullable(),
  cost_usd: z.number().nullable(),
});

function pictureRoutes(workspaces: Workspaces) {
  const graph = defineRoute({
    method: 'GET',
    path: '/workspaces/{workspace}/graph',
    permission: readPermission,
    summary: 'Tasks and what they wait for: an edge leads from what waits to what it waits for',
    request: {
      query: z.object({ project: z.string().optional(), all: z.stringbool().default(false) }),
    },
    responses: { 200: z.object({ nodes: z.array(nodeSchema), edges: z.array(edgeSchema) }) },
    errors,
    handler: async (input) => {
      const { project, all } = input.query;
      const { nodes, edges } = drawGraph(await requestWorkspace(workspaces, input), {
        project,
        all,
        format: 'json',
      }).graph;
      const shown = nodes.map((node) => ({ ...node, on_critical_path: node.on_critical_path === 1 }));
      return ok({ nodes: shown, edges: [...edges] });
    },
  });
  const metrics = defineRoute({
    method: 'GET',
    path: '/workspaces/{workspace}/metrics',
    permission: readPermission,
    summary: 'What was done on each day, how well, how long it took and what it cost',
    responses: { 200: z.object({ data: z.array(daySchema) }) },
    errors,
    handler: async (input) => ok({ data: [...dailyMetrics(await requestWorkspace(workspaces, input))] }),
  });
  return [graph, metrics] as const;
}
