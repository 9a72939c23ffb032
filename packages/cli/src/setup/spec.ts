/** Arguments and options of `setup` commands, without the code that runs them. */
const AGENTS = ['claude', 'codex', 'copilot', 'cursor', 'gemini', 'vscode', 'windsurf'] as const;
export type Agent = (typeof AGENTS)[number];

export const setupArguments = [
  { name: 'agent', summary: 'Agent to set up; codex is OpenAI Codex', choices: AGENTS },
] as const;

export const setupOptions = {
  check: { type: 'boolean', summary: 'Change nothing; exit code 1 if the agent is not set up' },
  remove: { type: 'boolean', summary: 'Remove what setup added' },
  dryRun: { type: 'boolean', summary: 'Change nothing; show what would change' },
} as const;
