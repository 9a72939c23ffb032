import type { CommandContext } from '@holdfast/cli';
import { PRIME } from '../../model/guidance.ts';

/** Reads no database: a hook that runs it at the start of every session must never fail. */
export function run({ out }: CommandContext): void {
  out.result({ markdown: PRIME }, (page) => page.line(PRIME.trimEnd()));
}
