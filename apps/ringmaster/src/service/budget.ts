import {
  budgetLeft,
  type BudgetScope,
  budgetText,
  hasBudget,
  isReached,
  limitsOfScope,
  localDay,
  type Usage,
} from '../model/budget.ts';
import { type Call, recordEvent } from '../store/events.ts';
import type { Tx } from '../store/open.ts';
import { existingTask } from '../store/tasks.ts';
import { usageByProject, usageOfTask, usageSince, wasBudgetReported } from '../store/usage.ts';
import type { Ringmaster } from './ringmaster.ts';

/** Returns the scopes that a task counts towards, with their usage. */
function scopesOf(tx: Tx, rm: Ringmaster, id: string): readonly BudgetScope[] {
  const { project_id } = existingTask(tx, id);
  return [
    { scope: 'task', id, ...usageOfTask(tx, id) },
    ...sharedScopes(tx, rm).filter(({ scope, id: name }) => scope === 'day' || name === project_id),
  ];
}

function sharedScopes(tx: Tx, rm: Ringmaster): readonly BudgetScope[] {
  const { date, start } = localDay(rm.clock());
  return [
    { scope: 'day', id: date, ...usageSince(tx, start) },
    ...usageByProject(tx).map((usage) => ({ scope: 'project' as const, ...usage })),
  ];
}

/** Returns the daily and project budgets that are used up. Tasks to which one of them applies do not start. */
export function reachedBudgets(tx: Tx, rm: Ringmaster): readonly BudgetScope[] {
  const { budget } = rm.config;
  return hasBudget(budget) ? sharedScopes(tx, rm).filter((used) => isReached(budget, used)) : [];
}

/**
 * If a task must not use an agent now, returns the reason: the task's, its project's or the daily budget is used up.
 */
export function budgetProblem(
  tx: Tx,
  rm: Ringmaster,
  task: string,
): { readonly scope: BudgetScope['scope']; readonly text: string } | undefined {
  const { budget } = rm.config;
  if (!hasBudget(budget)) return undefined;
  const used = scopesOf(tx, rm, task).find((one) => isReached(budget, one));
  return used === undefined ? undefined : { scope: used.scope, text: budgetText(budget, used) };
}

/** Returns the budget of a task's next turn: the smallest amount that is left in any of the task's budgets. */
export function budgetOfTurn(tx: Tx, rm: Ringmaster, task: string): Usage {
  const { budget } = rm.config;
  const left = hasBudget(budget) ? scopesOf(tx, rm, task).map((used) => budgetLeft(budget, used)) : [];
  return {
    usd: Math.min(Infinity, ...left.map(({ usd }) => usd)),
    tokens: Math.min(Infinity, ...left.map(({ tokens }) => tokens)),
  };
}

const entities = { task: 'task', project: 'project', day: 'store' } as const;

/** Notifies people once about each budget that a turn of the task has used up, in the commit that stores the usage. */
export function reportBudgets(tx: Tx, rm: Ringmaster, call: Call, task: string): void {
  const { budget } = rm.config;
  if (!hasBudget(budget)) return;
  for (const used of scopesOf(tx, rm, task).filter((one) => isReached(budget, one))) {
    const { scope, id, usd, tokens } = used;
    const limits = limitsOfScope(budget, scope);
    const entity = entities[scope];
    if (wasBudgetReported(tx, { type: entity, id }, limits)) continue;
    recordEvent(tx, call, {
      type: 'budget_reached',
      entity,
      id,
      data: { scope, limits, used: { usd, tokens } },
      notify: {
        situation: 'budget_reached',
        text: budgetText(budget, used),
        ...(scope === 'task' ? { task: id } : {}),
      },
    });
  }
}
