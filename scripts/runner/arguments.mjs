/** Options of `npm test --`. */
import { parseArgs } from 'node:util';

export function parseOptions(argv, stepNames) {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      only: { type: 'string', multiple: true },
      'test-name': { type: 'string', short: 't' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false, short: 'h' },
    },
  });
  const only = values.only?.flatMap((names) => names.split(',')).filter((name) => name !== '');
  const unknown = only?.filter((name) => !stepNames.includes(name)) ?? [];
  if (unknown.length > 0 || only?.length === 0) {
    throw new TypeError(
      `--only: unknown step ${unknown.join(', ') || '(none given)'} (known: ${stepNames.join(', ')})`,
    );
  }
  return { only, filters: positionals, testName: values['test-name'], list: values.list, help: values.help };
}

/**
 * Selects the steps of a run. Omits the static checks if the user selects tests with a filter. Adds the steps that the
 * selected ones require, in the order of the table.
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
