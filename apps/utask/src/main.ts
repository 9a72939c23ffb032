import { main } from '@holdfast/cli';
import { program } from './cli/program.ts';

// All output is written and the store is closed when `main` resolves. Exits immediately: otherwise Node would wait
// until V8 has compiled all functions that it has begun to optimise, which takes 10 ms after a list of 1,000 tasks.
void main(program).then(() => process.exit());
