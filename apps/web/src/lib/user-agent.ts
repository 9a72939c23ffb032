const browsers = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/HeadlessChrome\//, 'Chromium (headless)'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
] as const;

const systems = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

/** `Firefox on Linux`: enough for users to recognise their browser. */
export function describeAgent(agent: string | null): string {
  const browser = browsers.find(([pattern]) => pattern.test(agent ?? ''))?.[1] ?? 'Unknown program';
  const system = systems.find(([pattern]) => pattern.test(agent ?? ''))?.[1];
  return system === undefined ? browser : `${browser} on ${system}`;
}
