import type { CommandContext } from '@holdfast/cli';
import { ONBOARD } from '../../model/guidance.ts';

export function run({ out }: CommandContext): void {
  out.result({ markdown: ONBOARD }, (page) => page.line(ONBOARD.trimEnd()));
}
