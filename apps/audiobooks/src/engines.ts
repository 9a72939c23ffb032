import { createTagEngine } from './media/tag-engine.ts';
import { createMergeEngine } from './merge/engine.ts';
import { createOrganiseEngine } from './organise/engine.ts';
import { createScanEngine } from './scan/engine.ts';
import type { Engines } from './service/engines.ts';

export type AppEngines = Engines;

/** The real engines of this application. */
export const engines: Engines = {
  scan: createScanEngine(),
  organise: createOrganiseEngine(),
  merge: createMergeEngine(),
  tags: createTagEngine(),
};
