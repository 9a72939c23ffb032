const units = [
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** For screen readers: `1 hour 23 minutes`, `12 seconds`. */
export function spokenTime(ms: number): string {
  let rest = Math.max(0, Math.floor(ms / 1_000));
  const words: string[] = [];
  for (const [name, length] of units) {
    const number = Math.floor(rest / length);
    rest %= length;
    if (number > 0) words.push(`${number} ${name}${number === 1 ? '' : 's'}`);
  }
  return words.length === 0 ? '0 seconds' : words.join(' ');
}

/** `1.25×` */
export function speedText(speed: number): string {
  return `${Number(speed.toFixed(2))}×`;
}
