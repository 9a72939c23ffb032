/**
 * The part of the Model Context Protocol that a server of tools needs, over standard input and output: JSON-RPC 2.0,
 * one message per line. Written out because the protocol's own library takes five times as long to load as all of np.
 *
 * @module
 */
export { defineTool } from './define-tool.ts';
export { type ToolBinding, toolsFor } from './operation-tool.ts';
export { serveTools, serveToolsInOrder } from './serve.ts';
export type { Tool } from './tool.ts';
