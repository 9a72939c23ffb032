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
