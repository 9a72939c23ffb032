/** The command `holdfast`, to be killed at its failpoints. */
import { main } from '@holdfast/cli';

import { programFor } from '../../../apps/holdfast/src/program.ts';

void programFor(process.argv.slice(2)).then(main);
