/** `/mcp/NAME`: an application's tools for agents on other machines, over Streamable HTTP. */
import { answerRequest, type RemoteTools, type Tool } from '@holdfast/cli/mcp';
import { type App, defineApp, httpErrors, type Principal, type RawEnvironment } from '@holdfast/http';
import { Hono } from 'hono';

/** Connecting requires the read permission; each call also requires the permission of its operation. */
export function mcpApp(all: readonly RemoteTools[]): App {
  const hono = new Hono();
  for (const { server, open } of all) {
    hono.all(`/${server.name}`, async ({ req, env }) => {
      const { principal } = env as RawEnvironment;
      if (principal === undefined) throw new TypeError('The server authorises requests before this handler');
      const caller = { name: principal.name, userId: principal.userId, permissions: [...principal.permissions] };
      const opened = await open(caller, new URL(req.url).searchParams);
      const tools = opened.filter(({ operation }) => operation.absent?.http === undefined);
      return answerRequest(req.raw, server, {
        tools: tools.map((tool) => guarded(tool, principal)),
        // Listing tools that the agent may not call would only cost tokens.
        listed: tools.filter(({ operation }) => principal.permissions.has(operation.permission)),
      });
    });
  }
  const permissions = Object.fromEntries(all.map(({ server, permission }) => [`ALL /${server.name}`, permission]));
  return defineApp({ name: 'mcp', basePath: '/mcp', routes: [], raw: [{ hono, permissions }] });
}

function guarded(tool: Tool, { permissions }: Principal): Tool {
  const { permission } = tool.operation;
  return {
    ...tool,
    call: async (input, signal) => {
      if (permissions.has(permission)) return tool.call(input, signal);
      throw httpErrors.FORBIDDEN(`This requires the permission ${permission}`, { details: { permission } });
    },
  };
}
