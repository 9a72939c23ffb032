import { main } from '@holdfast/cli';
import { program } from './cli/program.ts';

// When `main` resolves, all output has been written. Exits immediately, because closing the database and an orderly
// shutdown would take a quarter of a command's time.
void main(program).then(() => process.exit());
