/**
 * The part of the Model Context Protocol that a tool server needs, over standard input and output: JSON-RPC 2.0, one
 * message per line. Hand-written because the official library takes five times as long to load as all of np.
 *
 * @module
 */
export { toolsFor } from './bind-tool.ts';
export { serveTools, serveToolsInOrder, type Tool } from './serve.ts';
