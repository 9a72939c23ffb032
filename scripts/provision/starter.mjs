/**
 * Returns the script that starts an unpacked program. It finds its folder from its own path, so the cache can be
 * moved, and replaces itself with the program, so signals reach the program.
 */
export function starterScript(component, program, libraries) {
  const variables = Object.entries(component.unpacked?.environment ?? {});
  const search = libraries.map((library) => `{root}/${library}`).join(':');
  const lines = [
    '#!/bin/sh',
    'root=${0%/*}/../root',
    `export LD_LIBRARY_PATH="${search}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"`,
    ...variables.map(([name, value]) => `export ${name}="${value}"`),
    ['exec', ...[program, ...(component.unpacked?.args ?? [])].map((word) => `"${word}"`), '"$@"'].join(' '),
  ];
  return `${lines.join('\n')}\n`.replaceAll('{root}', '$root');
}
