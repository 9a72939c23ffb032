import { DAY, SECOND } from '@holdfast/base';

import { ringmasterErrors } from './errors.ts';
import { timeText } from './time.ts';

/** Longer is a slip of the fingers, and beyond what a date can say. */
const LEASE_MAX = 3_650 * DAY;

/** When a lease that is given now runs out. */
export function leaseEnd(now: string, seconds: number): string {
  const milliseconds = seconds * SECOND;
  if (milliseconds > LEASE_MAX) throw ringmasterErrors.TEXT_INVALID(`A lease of ${seconds} seconds is too long`);
  return timeText(Date.parse(now) + milliseconds);
}
