import type { StandardInput } from '@holdfast/cli';

/** A text as it was given, or standard input for `-`. */
export async function textOf(stdin: StandardInput, given: string | undefined): Promise<string | undefined> {
  return given === '-' ? (await stdin.text()).trimEnd() : given;
}
