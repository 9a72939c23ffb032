import { z } from 'zod';

import { httpErrors } from '../errors.ts';
import type { AppContract } from '../routes/app.ts';
import { defineContract } from '../routes/route.ts';
import { bytes } from '../routes/shapes.ts';

/** Routes of every server. */

export const healthz = defineContract({
  method: 'GET',
  path: '/healthz',
  permission: 'public',
  summary: 'The process runs and answers; nothing else is looked at',
  operationId: 'system_health',
  responses: { 200: z.object({ status: z.literal('ok') }) },
});

export const readyz = defineContract({
  method: 'GET',
  path: '/readyz',
  permission: 'public',
  summary: 'Everything the server needs works; 503 names what does not',
  operationId: 'system_ready',
  responses: { 200: z.object({ status: z.literal('ready'), checks: z.array(z.string()) }) },
  errors: [httpErrors.NOT_READY],
});

export const metricsText = defineContract({
  method: 'GET',
  path: '/metrics',
  permission: 'system:read',
  summary: 'Figures for Prometheus',
  operationId: 'system_metrics',
  responses: { 200: bytes('text/plain') },
});

/** Public: identical for every installation, part of the source, and needed before a program has a token. */
export const openApi = defineContract({
  method: 'GET',
  path: '/openapi.json',
  permission: 'public',
  summary: 'This description',
  operationId: 'system_openapi',
  responses: { 200: bytes('application/json') },
});

export const systemContracts: AppContract = {
  name: 'system',
  basePath: '',
  routes: [healthz, readyz, metricsText, openApi],
};
