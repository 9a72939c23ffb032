import { lstatSync } from 'node:fs';

export type DeviceOf = (place: string) => string | undefined;

export const deviceOf: DeviceOf = (place) => {
  try {
    const found = lstatSync(place, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? undefined : String(found.dev);
  } catch {
    return undefined;
  }
};
