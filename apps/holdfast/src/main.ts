import { main } from '@holdfast/cli';

import { programFor } from './program.ts';

void programFor(process.argv.slice(2)).then(main);
