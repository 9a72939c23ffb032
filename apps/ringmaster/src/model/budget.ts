import { toTimestamp } from '@holdfast/base';

import type { Config } from './config.ts';

/** Usage that agents reported. A cost or token count that an agent does not report counts as 0. */
export interface Usage {
  readonly usd: number;
  readonly tokens: number;
}

/** Part of the work that a limit applies to: one task, one project, or one day of the whole workspace. */
export interface BudgetScope extends Usage {
  readonly scope: 'task' | 'project' | 'day';
  /** Id of the task or project, or the date. */
  readonly id: string;
}

/** Returns the limits of a scope; 0 means no limit. */
export function limitsOfScope(budget: Config['budget'], scope: BudgetScope['scope']): Usage {
  return { usd: budget[`${scope}_usd`], tokens: budget[`${scope}_tokens`] };
}

export function hasBudget(budget: Config['budget']): boolean {
  return Object.values(budget).some((limit) => limit > 0);
}

export function isReached(budget: Config['budget'], used: BudgetScope): boolean {
  const { usd, tokens } = budgetLeft(budget, used);
  return usd <= 0 || tokens <= 0;
}

/** Returns the remaining budget of a scope; infinite without a limit. */
export function budgetLeft(budget: Config['budget'], used: BudgetScope): Usage {
  const limits = limitsOfScope(budget, used.scope);
  return {
    usd: limits.usd === 0 ? Infinity : limits.usd - used.usd,
    tokens: limits.tokens === 0 ? Infinity : limits.tokens - used.tokens,
  };
}

/** Returns a text that says which limit is reached and how to continue. */
export function budgetText(budget: Config['budget'], used: BudgetScope): string {
  const { usd, tokens } = limitsOfScope(budget, used.scope);
  const isUsd = usd > 0 && used.usd >= usd;
  const amount = isUsd ? `${used.usd.toFixed(2)} of ${usd.toFixed(2)} USD` : `${used.tokens} of ${tokens} tokens`;
  const key = `${used.scope}_${isUsd ? 'usd' : 'tokens'}`;
  const subject = used.scope === 'day' ? `The budget of ${used.id}` : `The budget of ${used.scope} ${used.id}`;
  const action =
    used.scope === 'task' ? `then 'ringmaster task ready ${used.id}'` : "then start 'ringmaster run' again";
  return `${subject} is used up: ${amount}. Raise ${key} under [budget] in ringmaster.toml, ${action}`;
}

/**
 * Returns the day that contains `now`, in the time zone of this process (the operator's), and the time at which that
 * day began.
 */
export function localDay(now: number): { readonly date: string; readonly start: string } {
  const start = new Date(now);
  start.setHours(0, 0, 0, 0);
  const parts = [start.getFullYear(), start.getMonth() + 1, start.getDate()];
  return { date: parts.map((part) => String(part).padStart(2, '0')).join('-'), start: toTimestamp(start.getTime()) };
}
