import type { Component } from './components.d.mts';

export declare function starterScript(component: Component, program: string, libraries: readonly string[]): string;
