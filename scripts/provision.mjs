/**
 * Installs the real programs that tests and features need.
 *
 *   node scripts/provision.mjs [NAME...]                  install what is missing
 *   node scripts/provision.mjs --check [--json] [NAME...] only report; exit code 1 if something is missing
 */
import { parseArgs } from 'node:util';
import { selectComponents } from './provision/components.mjs';
import { report } from './provision/report.mjs';
import { provision } from './provision/provision.mjs';

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  });
  const wanted = selectComponents(positionals);
  return values.check ? report(wanted, values.json) : provision(wanted);
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(`provision: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
