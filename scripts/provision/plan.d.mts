import type { Component } from './components.d.mts';

export interface System {
  readonly hasApt: boolean;
  readonly isRoot: boolean;
}

export interface Plan {
  /** Programs with arguments, run in order. */
  readonly commands: readonly (readonly [string, ...string[]])[];
  /** Unpacked from downloaded packages after the commands. */
  readonly unpack: readonly Component[];
  /** A person must install these. */
  readonly byHand: readonly Component[];
}

export declare function planFor(missing: readonly Component[], system: System, folder: string): Plan;
