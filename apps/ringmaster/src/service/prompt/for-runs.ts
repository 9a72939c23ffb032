import type { PromptSource } from '../prompt-source.ts';
import type { Ringmaster } from '../ringmaster.ts';
import { type AssembleOptions, assemblePrompt } from './assemble.ts';

/** Prompts for the supervisor: assembled anew for every turn, so that each knows what failed before it. */
export function assembledPrompts(rm: Ringmaster, purpose: AssembleOptions['purpose']): PromptSource {
  return async (taskId) => {
    const { text, sha256, considered } = await assemblePrompt(rm, taskId, { purpose });
    const sources = considered.flatMap(({ source, name, bytes, sha256: hash }) =>
      hash === null ? [] : [{ name: `${source}: ${name}`, bytes, sha256: hash }],
    );
    return { text, sources, hash: sha256 };
  };
}
