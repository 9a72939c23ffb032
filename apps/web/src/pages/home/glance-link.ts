/** A line of a tile that leads somewhere. */
export const glanceLink = '-mx-2 grid gap-1 rounded-lg px-2 py-1.5 hover:bg-sunken';
