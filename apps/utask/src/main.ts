import { main } from '@holdfast/cli';
import { program } from './cli/program.ts';

// All output is written and the store is closed when `main` resolves. Exits immediately, because Node would otherwise
// wait until V8 has compiled all functions that it has begun to optimise. After a list of 1,000 tasks, this takes 10
// ms.
void main(program).then(() => process.exit());
