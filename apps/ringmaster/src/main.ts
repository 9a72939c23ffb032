import { main } from '@holdfast/cli';

import { program } from './cli/program.ts';

void main(program);
