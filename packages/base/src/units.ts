/** Durations in milliseconds. */
export const SECOND = 1_000;
export const MINUTE: number = 60 * SECOND;
export const HOUR: number = 60 * MINUTE;
export const DAY: number = 24 * HOUR;

export const KIBIBYTE = 1_024;
export const MEBIBYTE: number = 1_024 * KIBIBYTE;
