import type { Component } from './components.d.mts';

export interface System {
  readonly hasApt: boolean;
  readonly isRoot: boolean;
}

export interface Plan {
  /** Each is a program and its arguments, run in order. */
  readonly commands: readonly (readonly [string, ...string[]])[];
  /** To unpack from downloaded packages when the commands are done. */
  readonly unpack: readonly Component[];
  /** Nothing here can install these; a person has to. */
  readonly byHand: readonly Component[];
}

export declare function planFor(missing: readonly Component[], system: System, folder: string): Plan;
