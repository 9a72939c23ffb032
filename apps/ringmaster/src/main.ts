import { main } from '@holdfast/cli';

import { program } from './program.ts';

void main(program);
