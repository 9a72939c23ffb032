/** Separate from the layout code, which only the worker needs. */
export const NODE_WIDTH = 208;
export const NODE_HEIGHT = 60;

export type Positions = ReadonlyMap<string, { readonly x: number; readonly y: number }>;
