/** Key names by the escape sequences that terminals send. A printable character is its own name. */
const NAME_BY_SEQUENCE: Readonly<Record<string, string>> = {
  '\u001b[A': 'up',
  '\u001b[B': 'down',
  '\u001bOA': 'up',
  '\u001bOB': 'down',
  '\u001b[5~': 'page-up',
  '\u001b[6~': 'page-down',
  '\u001b[H': 'home',
  '\u001b[F': 'end',
  '\u001bOH': 'home',
  '\u001bOF': 'end',
  '\u001b[1~': 'home',
  '\u001b[4~': 'end',
  '\u001b': 'escape',
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u0003': 'interrupt',
  '\u001a': 'suspend',
  '\f': 'redraw',
};

// oxlint-disable-next-line no-control-regex -- escape sequences are what has to be found
const KEY = /\u001b(?:\[[0-9;?]*[A-Za-z~]|O[A-Z])|[^]/gu;

/** Returns the names of the keys in a chunk of input; skips unknown sequences. */
export function keysIn(input: string): readonly string[] {
  return Array.from(input.matchAll(KEY), ([sequence]) => {
    const name = NAME_BY_SEQUENCE[sequence];
    if (name !== undefined) return name;
    return sequence.startsWith('\u001b') || sequence < ' ' ? '' : sequence;
  }).filter((name) => name !== '');
}
