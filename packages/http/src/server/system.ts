import { httpErrors } from '../errors.ts';
import type { Metrics } from '../observe/metrics.ts';
import { type CheckResult } from '../observe/readiness.ts';
import type { OpenApiDocument } from '../openapi/types.ts';
import type { App } from '../routes/app.ts';
import { ok } from '../routes/reply.ts';
import { defineRoute } from '../routes/route.ts';
import { healthz, metricsText, openApi, readyz, systemContracts } from './system-contracts.ts';

export interface SystemTools {
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
          if (failing.length === 0) return ok({ status: 'ready', checks: checks.map((check) => check.name) });
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
