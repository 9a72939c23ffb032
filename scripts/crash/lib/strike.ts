import type { Campaign } from './campaign.ts';
import type { Random } from '../../../packages/sqlite/test/random.ts';
import { Victim } from './victim.ts';

/** How a process is killed: at a named step, or after a random time. */
export interface Death {
  readonly failpoint: string | undefined;
  readonly afterMs: number;
}

/** Returns one of the first passes of a step in half of the cases, otherwise a random time. */
export function anyDeath(random: Random, { failpoints }: Campaign, passes: number, withinMs: number): Death {
  const isAtStep = random.next() < 0.5;
  return {
    failpoint: isAtStep ? `${random.of(failpoints)}:${1 + random.below(passes)}` : undefined,
    afterMs: random.next() * withinMs,
  };
}

/** Starts a program that prints "started" and kills it, unless it ends before. */
export async function startAndKill(program: string, args: readonly string[], death: Death): Promise<Victim> {
  const victim = new Victim(program, args, death.failpoint);
  if (death.failpoint === undefined && (await victim.said('started'))) {
    await Promise.race([victim.ended(), new Promise((resolve) => setTimeout(resolve, death.afterMs))]);
    if (!victim.isOver) await victim.kill();
  }
  await victim.ended();
  return victim;
}
