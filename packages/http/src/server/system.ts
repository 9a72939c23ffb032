import { z } from 'zod';

import { httpErrors } from '../errors.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { CheckResult } from '../observe/readiness.ts';
import type { OpenApiDocument } from '../openapi/schemas.ts';
import { bytes } from '../routes/contract.ts';
import { type App, type AppContract, defineContract, defineRoute, ok } from '../routes/route.ts';

const healthz = defineContract({
  method: 'GET',
  path: '/healthz',
  permission: 'public',
  summary: 'Check only that the process responds',
  operationId: 'system_health',
  responses: { 200: z.object({ status: z.literal('ok') }) },
});

const readyz = defineContract({
  method: 'GET',
  path: '/readyz',
  permission: 'public',
  summary: 'Check everything that the server needs; a 503 response names what does not work',
  operationId: 'system_ready',
  responses: {
    200: z.object({ status: z.literal('ready'), checks: z.array(z.string()), warnings: z.array(z.string()) }),
  },
  errors: [httpErrors.NOT_READY],
});

const metricsText = defineContract({
  method: 'GET',
  path: '/metrics',
  permission: 'system:read',
  summary: 'Get metrics for Prometheus',
  operationId: 'system_metrics',
  responses: { 200: bytes('text/plain') },
});

/**
 * Public, because the document is the same for every installation, contains no secret, and is needed by programs before
 * they have a token.
 */
const openApi = defineContract({
  method: 'GET',
  path: '/openapi.json',
  permission: 'public',
  summary: 'Get this OpenAPI document',
  operationId: 'system_openapi',
  responses: { 200: bytes('application/json') },
});

export const systemContracts: AppContract = {
  name: 'system',
  basePath: '',
  routes: [healthz, readyz, metricsText, openApi],
};

interface SystemTools {
  readonly metrics: Metrics;
  readonly isDraining: () => boolean;
  readonly runChecks: () => Promise<readonly CheckResult[]>;
  readonly document: () => OpenApiDocument;
}

export function systemApp({ metrics, isDraining, runChecks, document }: SystemTools): App {
  let documentText: string | undefined;
  return {
    name: systemContracts.name,
    basePath: systemContracts.basePath,
    routes: [
      defineRoute({ ...healthz, handler: () => ok({ status: 'ok' }) }),
      defineRoute({
        ...readyz,
        handler: async () => {
          if (isDraining()) throw httpErrors.NOT_READY('The server is shutting down');
          const checks = await runChecks();
          const failing = checks.filter((check) => !check.ok).map((check) => check.name);
          if (failing.length === 0) {
            const warnings = checks.flatMap((check) => check.warnings.map((warning) => `${check.name}: ${warning}`));
            return ok({ status: 'ready', checks: checks.map((check) => check.name), warnings });
          }
          throw httpErrors.NOT_READY(`Not working: ${failing.join(', ')}`, { details: { failing } });
        },
      }),
      defineRoute({
        ...metricsText,
        handler: async () => {
          const { registry } = metrics;
          return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } });
        },
      }),
      defineRoute({
        ...openApi,
        handler: () => {
          documentText ??= JSON.stringify(document());
          const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache' };
          return new Response(documentText, { headers });
        },
      }),
    ],
  };
}
