/** Apart from what places them, which is large and belongs to the worker alone. */
export const NODE_WIDTH = 208;
export const NODE_HEIGHT = 60;

export type Positions = ReadonlyMap<string, { readonly x: number; readonly y: number }>;
