import { main } from '@holdfast/cli';
import { program } from './cli/program.ts';

// All output is written when `main` resolves. Exits at once: an orderly shutdown, with closing the database, would take
// a quarter of a command's time.
void main(program).then(() => process.exit());
