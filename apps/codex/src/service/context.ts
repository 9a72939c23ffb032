import { randomUUID } from 'node:crypto';

import { identityOf, type ProcessIdentity, systemClock, type UlidSource, ulidSource } from '@holdfast/base';

import { type ImportPause, importPause } from '../adapters/import-pause.ts';
import { type DeviceOf, deviceOf } from '../adapters/notebook-folder.ts';
import { type Settings, settingsFrom } from '../model/settings.ts';
import type { Store } from '../store/open.ts';
import { type ProblemListener, Problems } from './problems.ts';

/** Selects the notebook if the caller names none. */
export interface Defaults {
  readonly notebook?: string | undefined;
  /** Folder that a command runs in; selects the notebook that contains it. */
  readonly folder?: string | undefined;
}

export interface ContextOptions {
  readonly home: string;
  readonly databasePath: string;
  readonly settings?: Settings;
  readonly clock?: () => number;
  readonly random?: () => number;
  readonly deviceOf?: DeviceOf;
  readonly importPause?: ImportPause;
  readonly create?: boolean;
  readonly processIsEnding?: boolean;
  readonly defaults?: Defaults;
  readonly onProblem?: ProblemListener;
}

/** Store, settings, clock and ids that all services use. */
export class CodexContext {
  readonly store: Store;
  readonly settings: Settings;
  /** The data home. Notebooks without a given folder are created below it. */
  readonly home: string;
  readonly defaults: Defaults;
  readonly clock: () => number;
  readonly random: () => number;
  readonly deviceOf: DeviceOf;
  readonly importPause: ImportPause;
  readonly newId: UlidSource = ulidSource();
  /** Returns the id of a new batch: a UUID, because codex's design document requires 36 characters. */
  readonly newCorrelationId: () => string = randomUUID;
  /** Id of this process as the owner of lanes. */
  readonly owner: string = randomUUID();
  readonly process: ProcessIdentity = identityOf(process.pid);
  readonly problems: Problems;

  constructor(store: Store, options: ContextOptions) {
    this.store = store;
    this.settings = options.settings ?? settingsFrom({});
    this.home = options.home;
    this.defaults = options.defaults ?? {};
    this.clock = options.clock ?? systemClock;
    this.random = options.random ?? Math.random;
    this.deviceOf = options.deviceOf ?? deviceOf;
    this.importPause = options.importPause ?? importPause;
    this.problems = new Problems(this, options.onProblem);
  }
}
