import { npErrors } from './errors.ts';
import { ONBOARD } from './guidance.ts';

/** The files in which agents look for instructions, and how to add our guidance to one and remove it. */

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

/** The moments at which an agent has no context: a new session and a compaction. */
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
    throw npErrors.SETUP_FILE_UNREADABLE(`${path} is not JSON.`, { cause: error });
  }
  throw npErrors.SETUP_FILE_UNREADABLE(`${path} does not have the form of Claude Code's settings.`);
}

function print(settings: object): string {
  return `${JSON.stringify(settings, null, 2)}\n`;
}
