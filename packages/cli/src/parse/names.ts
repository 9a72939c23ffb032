import type { ArgumentSpec, OptionSpec } from '../spec/option.ts';

/** `allTags` → `all-tags`. */
export function optionWord(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the form for help and messages: `--all-tags`, or `--no-color` for an option that is on by default. */
export function optionFlag(name: string, spec: OptionSpec): string {
  return spec.negatable === true ? `--no-${optionWord(name)}` : `--${optionWord(name)}`;
}

/** Returns every way to write the option. */
export function optionFlags(name: string, spec: OptionSpec): readonly string[] {
  const word = optionWord(name);
  return [
    ...(spec.short === undefined ? [] : [`-${spec.short}`]),
    `--${word}`,
    ...(spec.negatable === true ? [`--no-${word}`] : []),
  ];
}

/** `<id>`, `[id]`, `<id...>`, `[id...]`. */
export function argumentLabel(spec: ArgumentSpec): string {
  const name = spec.variadic === true ? `${spec.name}...` : spec.name;
  return spec.optional === true ? `[${name}]` : `<${name}>`;
}
