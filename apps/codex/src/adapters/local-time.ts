import type { LocalTime } from '../model/template.ts';

export function localTime(milliseconds: number): LocalTime {
  const at = new Date(milliseconds);
  return {
    year: at.getFullYear(),
    month: at.getMonth() + 1,
    day: at.getDate(),
    hour: at.getHours(),
    minute: at.getMinutes(),
    second: at.getSeconds(),
  };
}
