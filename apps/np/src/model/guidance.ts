import { npErrors } from './errors.ts';

/** Guidance for agents. Short, because every conversation includes it. */

export const PRIME = `# np: the plan for this directory

Keep your plan in np, not in a built-in to-do list. It survives restarts and compaction, and a person watches it live. np
never prompts. Each change prints what changed, the counts and the next tasks; \`np p\` shows the whole plan.

## Start
- \`np r\` shows the plan and the last changes. Exit code 3: no session yet.
- \`np s\` starts a session. If one is active, ask your operator whether to resume or archive it; if nobody can be asked, resume it.
- \`np g s -t "title" -d "text"\` sets the goal. Name the issue and the files, so that anyone can take over.
- \`np t a -t "first" -d "text" -t "second"\` adds tasks, in the order in which to do them. Adding the same task again changes nothing.

## Work
- One task at a time: \`np t u -i ID -s in_progress\`, then \`np t u -i ID -s completed -i ID2 -s in_progress\`.
- If it cannot be done: \`-s failed -r "why"\`. If it is no longer needed: \`-s cancelled -r "why"\`.
- New work: \`np t a\`. New wording: \`np t u -i ID -t "title" -r "why"\`, \`np g u -t "title" -r "why"\`.
- -s, -t, -d and -r apply to the -i before them; a single -r applies to every task that needs a reason.
- With several agents, claim a task first: \`np t claim ID --actor NAME\`. Exit code 4: another agent has it.
- Long text: \`-d -\` reads standard input. You may shorten ids.

## View
- \`np t -s pending\`, \`np g\`, \`np log\` (what happened and why); \`--json\` works everywhere.
- ☐ pending ⟳ in_progress ☑ completed ☒ failed ⊗ cancelled
- Exit codes: 0 done, 2 usage or missing reason, 3 not found, 4 conflict, 5 try again.

## End
- Archive the session with \`np a\` when the goal is reached and your operator agrees or cannot be asked. Failed and open tasks
  do not prevent it; the plan is kept.
`;

export const ONBOARD = `## Planning with np

Keep your plan in \`np\`, not in a built-in to-do list: it survives restarts, and a person watches it live.
Run \`np prime\` when you begin work and after every compaction; it explains the commands.
Start with \`np r\` (resume) or \`np s\` (start). If \`np\` is not in PATH, ask your operator to install it.
`;

/** For clients of the MCP server, in addition to the descriptions of the tools. */
export const MCP_INSTRUCTIONS =
  'np keeps the plan of this directory; a person watches it live. Show the plan first; start a session if there is ' +
  'none. Keep one task in progress. Record completed, failed (with a reason) and newly discovered work at once.';

/** A file in which an agent looks for instructions. */

interface AgentFile {
  readonly path: string;
  readonly kind: 'block' | 'claude-hooks';
}

export const AGENT_FILES = {
  claude: { path: '.claude/settings.json', kind: 'claude-hooks' },
  codex: { path: 'AGENTS.md', kind: 'block' },
  copilot: { path: '.github/copilot-instructions.md', kind: 'block' },
  cursor: { path: '.cursor/rules/np.md', kind: 'block' },
  gemini: { path: 'GEMINI.md', kind: 'block' },
} as const satisfies Readonly<Record<string, AgentFile>>;

export type Agent = keyof typeof AGENT_FILES;
export const AGENTS = Object.keys(AGENT_FILES) as readonly Agent[];

/** Returns the content with our current guidance. Idempotent. */
export function withGuidance(content: string | undefined, agent: Agent): string {
  const { kind, path } = AGENT_FILES[agent];
  if (kind === 'claude-hooks') return withHooks(content, path);
  const rest = withoutBlock(content ?? '').trimEnd();
  return `${rest === '' ? '' : `${rest}\n\n`}${BEGIN}\n${ONBOARD}${END}\n`;
}

/** Returns the content without our guidance; empty if nothing else is left. */
export function withoutGuidance(content: string | undefined, agent: Agent): string {
  if (content === undefined) return '';
  const { kind, path } = AGENT_FILES[agent];
  return kind === 'claude-hooks' ? withoutHooks(content, path) : withoutBlock(content);
}

const BEGIN = '<!-- np: begin, written by `np setup` -->';
const END = '<!-- np: end -->';

function withoutBlock(content: string): string {
  const begin = content.indexOf(BEGIN);
  const end = content.indexOf(END, begin);
  if (begin < 0 || end < 0) return content;
  const before = content.slice(0, begin).trimEnd();
  const after = content.slice(end + END.length).trim();
  const parts = [before, after].filter((part) => part !== '');
  return parts.length === 0 ? '' : `${parts.join('\n\n')}\n`;
}

/** Claude Code's hook events when an agent loses its context: a new session and a compaction. */
const HOOK_EVENTS = ['SessionStart', 'PreCompact'] as const;
const HOOK = { matcher: '', hooks: [{ type: 'command', command: 'np prime' }] } as const;

interface Settings {
  readonly hooks?: Readonly<Record<string, readonly unknown[]>>;
}

function withHooks(content: string | undefined, path: string): string {
  const settings = parseSettings(withoutHooks(content ?? '', path), path);
  const hooks: Record<string, readonly unknown[]> = { ...settings.hooks };
  for (const event of HOOK_EVENTS) hooks[event] = [...(hooks[event] ?? []), HOOK];
  return print({ ...settings, hooks });
}

function withoutHooks(content: string, path: string): string {
  const { hooks, ...rest } = parseSettings(content, path);
  const kept = Object.entries(hooks ?? {})
    .map(
      ([event, entries]) => [event, entries.filter((entry) => JSON.stringify(entry) !== JSON.stringify(HOOK))] as const,
    )
    .filter(([, entries]) => entries.length > 0);
  const settings = kept.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(kept) };
  return Object.keys(settings).length === 0 ? '' : print(settings);
}

function parseSettings(content: string, path: string): Settings {
  if (content.trim() === '') return {};
  try {
    const settings = JSON.parse(content) as Settings;
    const lists = Object.values(settings.hooks ?? {});
    if (typeof settings === 'object' && !Array.isArray(settings) && lists.every(Array.isArray)) return settings;
  } catch (error) {
    throw npErrors.SETUP_FILE_UNREADABLE(`${path} is not valid JSON.`, { cause: error });
  }
  throw npErrors.SETUP_FILE_UNREADABLE(`${path} is not a valid Claude Code settings file.`);
}

function print(settings: object): string {
  return `${JSON.stringify(settings, null, 2)}\n`;
}
