import { randomUUID } from 'node:crypto';

import { identityOf, type ProcessIdentity, systemClock, type UlidSource, ulidSource } from '@holdfast/base';

import { type DeviceOf, deviceOf } from '../adapters/notebook-folder.ts';
import { type Settings, settingsFrom } from '../model/settings.ts';
import { openStore, type Store } from '../store/open.ts';
import { type ProblemListener, Problems } from './problems.ts';

/** Store, settings and access to the outside. */
export interface CodexContext {
  readonly store: Store;
  readonly settings: Settings;
  /** Data home; notebooks without their own folder go below it. */
  readonly home: string;
  readonly clock: () => number;
  readonly random: () => number;
  readonly deviceOf: DeviceOf;
  readonly newId: UlidSource;
  /** Id of a batch: a UUID, 36 characters as in the design document. */
  readonly newCorrelationId: () => string;
  /** Id of this process in lanes. */
  readonly owner: string;
  readonly process: ProcessIdentity;
  readonly problems: Problems;
  readonly defaults: Defaults;
}

/** Selects the notebook if none is named. */
export interface Defaults {
  readonly notebook?: string | undefined;
  /** Folder that a command runs in; selects the notebook around it. */
  readonly folder?: string | undefined;
}

export interface ContextOptions {
  readonly home: string;
  readonly databasePath: string;
  readonly settings?: Settings;
  readonly clock?: () => number;
  readonly random?: () => number;
  readonly deviceOf?: DeviceOf;
  readonly create?: boolean;
  readonly processIsEnding?: boolean;
  readonly defaults?: Defaults;
  /** Receives problems of background work. */
  readonly onProblem?: ProblemListener;
}

export async function openContext(options: ContextOptions): Promise<CodexContext> {
  const { clock = systemClock, random = Math.random } = options;
  const store = await openStore({
    path: options.databasePath,
    create: options.create ?? true,
    now: clock,
    processIsEnding: options.processIsEnding ?? false,
  });
  const identity = { store, clock, owner: randomUUID(), process: identityOf(process.pid) };
  return {
    ...identity,
    problems: new Problems(identity, options.onProblem),
    settings: options.settings ?? settingsFrom({}),
    home: options.home,
    defaults: options.defaults ?? {},
    random,
    deviceOf: options.deviceOf ?? deviceOf,
    newId: ulidSource(),
    newCorrelationId: randomUUID,
  };
}
