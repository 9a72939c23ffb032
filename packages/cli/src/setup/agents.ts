/**
 * Defines the files in which coding agents look for MCP servers and instructions, and how to change these files. Writes
 * nothing itself.
 */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';

import {
  type Block,
  withBlock,
  withJsonEntry,
  withJsonItem,
  withoutBlock,
  withoutJsonEntry,
  withoutJsonItem,
  withoutTomlTable,
  withTomlTable,
} from './edit-settings.ts';
import type { Agent } from './spec.ts';

/** A program that agents use: its name, and a paragraph for the agents' instruction files. */
export interface Guidance {
  readonly program: string;
  readonly markdown: string;
  /** Prints the full instructions: `np prime`. */
  readonly primeCommand: string;
}

/**
 * A file and how to change its content. The functions are pure; `add` and `remove` throw if the file cannot be parsed.
 */
export interface FileChange {
  readonly path: string;
  /** True if the path is below the user's home instead of the project. */
  readonly isInHome?: boolean;
  readonly add: (text: string, path: string) => string;
  readonly remove: (text: string, path: string) => string;
}

/** Returns the changes that connect an agent in one project. */
export function changesFor(agent: Agent, guidance: Guidance, project: string): readonly FileChange[] {
  const { program } = guidance;
  const server = { command: program, args: ['mcp'] };
  // These editors do not start servers in the project folder, so the arguments name it.
  const inWorkspace = { command: program, args: ['mcp', '--dir', '${workspaceFolder}'] };
  const all: Readonly<Record<Agent, readonly FileChange[]>> = {
    claude: [jsonServer('.mcp.json', ['mcpServers', program], server), claudeHook(guidance)],
    codex: [codexServer(program), instructions('AGENTS.md', guidance)],
    copilot: [copilotInstructions(agent, guidance)],
    cursor: [
      jsonServer('.cursor/mcp.json', ['mcpServers', program], inWorkspace),
      instructions(`.cursor/rules/${program}.mdc`, guidance, [
        `description: How to use ${program} in this project`,
        'alwaysApply: true',
      ]),
    ],
    gemini: [jsonServer('.gemini/settings.json', ['mcpServers', program], server), instructions('GEMINI.md', guidance)],
    vscode: [
      jsonServer('.vscode/mcp.json', ['servers', program], { type: 'stdio', ...inWorkspace }),
      copilotInstructions(agent, guidance),
    ],
    windsurf: [
      windsurfServer(program, project),
      instructions(`.windsurf/rules/${program}.md`, guidance, ['trigger: always_on']),
    ],
  };
  return all[agent];
}

function jsonServer(path: string, keys: readonly string[], server: object): FileChange {
  return {
    path,
    add: (text, whole) => withJsonEntry(whole, text, keys, server),
    remove: (text, whole) => withoutJsonEntry(whole, text, keys, server),
  };
}

/** Windsurf has one file for all projects. The hash distinguishes folders with the same name. */
function windsurfServer(program: string, project: string): FileChange {
  const hash = createHash('sha256').update(project).digest('hex');
  const name = `${program}-${basename(project)}-${hash.slice(0, 6)}`;
  const change = jsonServer('.codeium/windsurf/mcp_config.json', ['mcpServers', name], {
    command: program,
    args: ['mcp', '--dir', project],
  });
  return { ...change, isInHome: true };
}

function codexServer(program: string): FileChange {
  const block: Block = {
    begin: `# ${program}: begin, written by \`${program} setup\``,
    end: `# ${program}: end`,
    text: `[mcp_servers.${program}]\ncommand = "${program}"\nargs = ["mcp"]\n`,
  };
  return {
    path: '.codex/config.toml',
    add: (text, whole) => withTomlTable(whole, text, ['mcp_servers', program], block),
    remove: (text, whole) => withoutTomlTable(whole, text, block),
  };
}

/**
 * Claude Code adds the output of SessionStart hooks to the conversation: at the start, on resume and after a
 * compaction. It ignores the output of PreCompact hooks.
 */
function claudeHook({ primeCommand }: Guidance): FileChange {
  const keys = ['hooks', 'SessionStart'];
  const hook = { matcher: '', hooks: [{ type: 'command', command: primeCommand }] };
  return {
    path: '.claude/settings.json',
    add: (text, whole) => withJsonItem(whole, text, keys, hook),
    remove: (text, whole) => withoutJsonItem(whole, text, keys, hook),
  };
}

/** An existing file keeps its own front matter. */
function instructions(path: string, { program, markdown }: Guidance, frontMatter: readonly string[] = []): FileChange {
  const block = markdownBlock(program, markdown);
  const head = frontMatter.length === 0 ? '' : ['---', ...frontMatter, '---', ''].join('\n');
  return {
    path,
    add: (text) => withBlock(text === '' ? head : text, block),
    remove: (text) => {
      const rest = withoutBlock(text, block);
      return rest === head ? '' : rest;
    },
  };
}

/**
 * Copilot and VS Code read the same file. A comment in the paragraph lists the agents that need it, so that removing one
 * of them does not disconnect the other.
 */
function copilotInstructions(agent: Agent, { program, markdown }: Guidance): FileChange {
  const listed = new RegExp(`^<!-- ${program}: for (.*) -->$`, 'mu');
  const agentsIn = (text: string): readonly string[] => listed.exec(text)?.[1]?.split(', ') ?? [];
  const blockFor = (agents: readonly string[]): Block =>
    markdownBlock(program, `<!-- ${program}: for ${agents.join(', ')} -->\n${markdown}`);
  return {
    path: '.github/copilot-instructions.md',
    add: (text) => withBlock(text, blockFor([...new Set([...agentsIn(text), agent])].toSorted())),
    remove: (text) => {
      const agents = agentsIn(text);
      const others = agents.filter((name) => name !== agent);
      if (others.length === 0) return withoutBlock(text, blockFor([]));
      return others.length === agents.length ? text : withBlock(text, blockFor(others));
    },
  };
}

function markdownBlock(program: string, text: string): Block {
  const begin = `<!-- ${program}: begin, written by \`${program} setup\` -->`;
  return { begin, end: `<!-- ${program}: end -->`, text };
}
