/** Makes data safe for a terminal: it cannot move the cursor, change the title or reverse the reading direction. */

/** Makes control characters visible, `\x1b` for escape, except line ends and tabs. */
export function escapeForTerminal(text: string): string {
  // Control characters, and bidirectional controls that change how text reads. Defined here because V8 compiles \p{…}
  // on first use, which most commands never reach.
  const dangerous = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
  return text.replaceAll('\r\n', '\n').replaceAll(dangerous, (character) => {
    if (character === '\n' || character === '\t') return character;
    const code = character.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`;
  });
}

/** JSON.stringify escapes characters below space; escaping the others keeps the meaning. */
export function escapeJsonForTerminal(json: string): string {
  const dangerous = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu;
  return json.replaceAll(dangerous, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Joins text into one line, for a table cell. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\r\n\t\v\f]+/gu, ' ');
}
