import { createStore } from '../lib/store.ts';

export const paletteIsOpen = createStore(false);
export const helpIsOpen = createStore(false);
