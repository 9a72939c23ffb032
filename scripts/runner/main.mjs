/** Runs the steps of `npm test` and `npm run check`. */
import { parseOptions, selectSteps } from './arguments.mjs';
import { runSteps } from './run.mjs';

export async function main(steps, usage) {
  try {
    const options = parseOptions(
      process.argv.slice(2),
      steps.map((step) => step.name),
    );
    if (options.help) {
      console.log(usage);
    } else if (options.list) {
      for (const step of steps) console.log(`${step.name.padEnd(10)} ${step.kind.padEnd(8)} ${step.title}`);
    } else {
      process.exitCode = await runSteps(selectSteps(steps, options), options);
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    console.error(usage);
    process.exitCode = 1;
  }
}
