import type { Component } from './components.d.mts';

export interface Places {
  /** The value of PATH. */
  readonly path: string;
  /** The folder that unpacked and npm-installed components are in. */
  readonly folder: string;
}

export declare function currentPlaces(environment?: NodeJS.ProcessEnv): Places;
export declare function findOnPath(binary: string, path: string): string | undefined;
export declare function locate(component: Component, places: Places): string | undefined;
/** Throws with the command that installs it. */
export declare function nodePath(name: 'node22' | 'node24' | 'node26', environment?: NodeJS.ProcessEnv): string;
