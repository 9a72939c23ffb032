import { main } from '@holdfast/cli';
import { program } from './cli/program.ts';

// Everything is written when `main` is done. Taking the process apart in order, open database included, would cost a
// quarter of the time that a command takes.
void main(program).then(() => process.exit());
