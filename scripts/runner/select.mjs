/**
 * Which steps a run consists of. A filter speaks of tests, so a run with one leaves the static checks out. What a chosen
 * step needs comes along, in the order of the table.
 *
 * @template {Pick<import('./steps.d.mts').Step, 'name' | 'kind' | 'needs'>} S
 * @param {readonly S[]} steps
 * @param {Pick<import('./arguments.d.mts').Options, 'only' | 'filters' | 'testName'>} options
 */
export function selectSteps(steps, { only, filters, testName }) {
  const filtered = filters.length > 0 || testName !== undefined;
  /** @param {S} step */
  const isChosen = (step) => {
    if (only !== undefined) return only.includes(step.name);
    return step.kind === 'tests' || (step.kind === 'check' && !filtered);
  };
  const chosen = steps.filter(isChosen);
  const needed = new Set(chosen.flatMap((step) => step.needs));
  return steps.filter((step) => chosen.includes(step) || needed.has(step.name));
}
