import type { Options } from './arguments.d.mts';
import type { Step } from './steps.d.mts';

export declare function selectSteps<S extends Pick<Step, 'name' | 'kind' | 'needs'>>(
  steps: readonly S[],
  options: Pick<Options, 'only' | 'filters' | 'testName'>,
): S[];
