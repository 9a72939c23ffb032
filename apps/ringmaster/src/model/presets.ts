/**
 * Command lines that start each known agent without a person. The flags come from the documentation of that agent, in
 * the version that `version` names.
 */

export const outputFormats = ['text', 'claude-json', 'codex-json', 'gemini-json', 'opencode-json'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export const workerTypes = [
  ...(['claude-code', 'codex', 'gemini', 'opencode', 'cursor', 'aider'] as const),
  // `custom` is any other program. `manual` is a worker that claims its tasks itself.
  ...(['custom', 'manual'] as const),
] as const;
type Agent = Exclude<(typeof workerTypes)[number], 'custom' | 'manual'>;

export interface PresetChoices {
  /** One of `permissionModes`. */
  readonly mode: string;
  /** Tools that need no approval, in the agent's notation. */
  readonly allowedTools: readonly string[];
  /** Arguments that select the model, then the additional arguments from the settings. */
  readonly more: readonly string[];
  /** Session of an earlier turn to continue. */
  readonly session: string | undefined;
}

export interface Preset {
  /** Version of the agent whose documentation describes the flags. */
  readonly version: string;
  readonly output: OutputFormat;
  /** Accepted values of permission_mode. The first, the default, has just enough permissions to edit files. */
  readonly permissionModes: readonly string[];
  readonly args: (choices: PresetChoices) => readonly string[];
  /** Arguments that start the agent for a person in a terminal. */
  readonly interactive: (choices: PresetChoices) => readonly string[];
}

/** Claude Code may commit in its worktree. ringmaster commits any remaining changes. */
const CLAUDE_TOOLS = ['Bash(git add:*)', 'Bash(git commit:*)'];

const resume = (flag: string, session: string | undefined): readonly string[] =>
  session === undefined ? [] : [flag, session];

const words = (text: string): readonly string[] => text.split(' ');

const presets: Readonly<Record<Agent, Preset>> = {
  'claude-code': {
    version: 'Claude Code 2.1',
    output: 'claude-json',
    permissionModes: ['acceptEdits', 'dontAsk', 'auto', 'bypassPermissions', 'default', 'plan'],
    args: ({ mode, allowedTools, more, session }) => [
      ...words(`-p --output-format stream-json --verbose --permission-mode ${mode} --allowedTools`),
      [...CLAUDE_TOOLS, ...allowedTools].join(','),
      ...more,
      ...resume('--resume', session),
    ],
    interactive: ({ mode, allowedTools, more, session }) => [
      ...words(`--permission-mode ${mode} --allowedTools`),
      [...CLAUDE_TOOLS, ...allowedTools].join(','),
      ...more,
      ...resume('--resume', session),
    ],
  },
  codex: {
    version: 'OpenAI Codex CLI 0.166',
    output: 'codex-json',
    permissionModes: ['workspace-write', 'read-only', 'danger-full-access'],
    args: ({ mode, more, session }) => [
      ...words(`exec --json --sandbox ${mode}`),
      ...more,
      ...resume('resume', session),
      '-',
    ],
    interactive: ({ mode, more, session }) => ['--sandbox', mode, ...more, ...resume('resume', session)],
  },
  gemini: {
    version: 'Gemini CLI 0.61',
    output: 'gemini-json',
    permissionModes: ['auto_edit', 'yolo', 'default', 'plan'],
    args: ({ mode, allowedTools, more, session }) => [
      // Without --skip-trust, Gemini CLI starts only in folders that a person has trusted, and a worktree is new.
      ...words(`--output-format stream-json --skip-trust --approval-mode ${mode}`),
      ...(allowedTools.length === 0 ? [] : ['--allowed-tools', allowedTools.join(',')]),
      ...more,
      ...resume('--resume', session),
    ],
    interactive: ({ mode, more, session }) => ['--approval-mode', mode, ...more, ...resume('--resume', session)],
  },
  opencode: {
    version: 'OpenCode 1.18',
    output: 'opencode-json',
    // Without --auto, OpenCode follows "permission" in opencode.json and rejects tool calls that need approval.
    permissionModes: ['config', 'auto'],
    args: ({ mode, more, session }) => [
      ...words(mode === 'auto' ? 'run --format json --auto' : 'run --format json'),
      ...more,
      ...resume('--session', session),
    ],
    interactive: ({ more, session }) => [...more, ...resume('--session', session)],
  },
  cursor: {
    version: 'Cursor CLI, July 2026',
    output: 'claude-json',
    // Without --force, Cursor only proposes changes. It still obeys permissions.deny in .cursor/cli.json.
    permissionModes: ['force', 'propose'],
    args: ({ mode, more, session }) => [
      ...words(`-p --output-format stream-json --trust${mode === 'force' ? ' --force' : ''}`),
      ...more,
      ...resume('--resume', session),
    ],
    interactive: ({ more, session }) => [...more, ...resume('--resume', session)],
  },
  aider: {
    version: 'Aider 0.86',
    output: 'text',
    permissionModes: ['yes-always'],
    args: ({ more }) => [
      ...words('--yes-always --no-pretty --no-stream --no-gitignore --no-check-update'),
      ...more,
      ...words('--message-file {prompt_file}'),
    ],
    interactive: ({ more }) => ['--no-gitignore', '--no-check-update', '--restore-chat-history', ...more],
  },
};

export function presetOf(type: string): Preset | undefined {
  return Object.hasOwn(presets, type) ? (presets as Readonly<Record<string, Preset>>)[type] : undefined;
}
