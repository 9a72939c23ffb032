import { main } from '@holdfast/cli';
import { program } from './cli/program.ts';

// All output is written when `main` resolves. Tearing the process down in order, including the database, would take a
// quarter of a command's time.
void main(program).then(() => process.exit());
