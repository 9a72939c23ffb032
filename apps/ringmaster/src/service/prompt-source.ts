/** One piece of a prompt, and which bytes it was. */
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

/** Whoever assembles prompts: the supervisor asks once for every turn. */
export type PromptSource = (taskId: string) => Prompt | Promise<Prompt>;
