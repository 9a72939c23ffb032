import { createMergeEngine } from '../merge/engine.ts';
import { createTagEngine } from '../merge/tag-engine.ts';
import type { Engines } from '../model/engines.ts';
import { createOrganiseEngine } from '../organise/engine.ts';
import { createScanEngine } from '../scan/engine.ts';

export const fileEngines: Engines = {
  scan: createScanEngine(),
  organise: createOrganiseEngine(),
  merge: createMergeEngine(),
  tags: createTagEngine(),
};
