/**
 * Selects the steps of a run. A filter selects tests, so it omits the static checks. Required steps are included, in
 * table order.
 */
export function selectSteps(steps, { only, filters, testName }) {
  const filtered = filters.length > 0 || testName !== undefined;
  const isChosen = (step) => {
    if (only !== undefined) return only.includes(step.name);
    return step.kind === 'tests' || (step.kind === 'check' && !filtered);
  };
  const chosen = steps.filter(isChosen);
  const needed = new Set(chosen.flatMap((step) => step.needs));
  return steps.filter((step) => chosen.includes(step) || needed.has(step.name));
}
