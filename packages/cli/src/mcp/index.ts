/**
 * Tools for agents over the Model Context Protocol, on standard input and output or over HTTP.
 *
 * @module
 */
export { type RemoteTools, type Tool, type ToolCaller, toolsFor } from './bind-tool.ts';
export { answerRequest, serveTools } from './serve.ts';
export type { ServerInfo } from './server.ts';
