import type { Ringmaster } from '../ringmaster.ts';
import { type AssembleOptions, assemblePrompt } from './assemble.ts';

interface PromptPart {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Prompt {
  readonly text: string;
  readonly sources: readonly PromptPart[];
  /** SHA-256 of exactly the text. */
  readonly hash: string;
}

/** Assembles a prompt; the supervisor calls it once for every turn. */
export type PromptSource = (taskId: string) => Prompt | Promise<Prompt>;

/** Assembles prompts anew for every turn, so that each includes the failures before it. */
export function assembledPrompts(rm: Ringmaster, purpose: AssembleOptions['purpose']): PromptSource {
  return async (taskId) => {
    const { text, sha256, considered } = await assemblePrompt(rm, taskId, { purpose });
    const sources = considered.flatMap(({ source, name, bytes, sha256: hash }) =>
      hash === null ? [] : [{ name: `${source}: ${name}`, bytes, sha256: hash }],
    );
    return { text, sources, hash: sha256 };
  };
}
