/**
 * Connects coding agents to a program: MCP servers, instructions and hooks in the agents' own files.
 *
 * @module
 */
export { setUpAgent } from './setup.ts';
