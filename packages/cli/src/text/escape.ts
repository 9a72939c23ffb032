/** Data on its way to a terminal: nothing in it may move the cursor, change the title or reverse the reading direction. */

/** Makes control characters visible, `\x1b` for escape. Line ends and tabs stay. */
export function escapeForTerminal(text: string): string {
  // Control characters, and the bidirectional controls that make text read differently from how it is stored. The
  // pattern stands here because V8 looks up \p{…} when it meets it, and most commands never do.
  const dangerous = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
  return text.replaceAll('\r\n', '\n').replaceAll(dangerous, (character) => {
    if (character === '\n' || character === '\t') return character;
    const code = character.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`;
  });
}

/** JSON.stringify has escaped the characters below a space; the others can be escaped without changing the meaning. */
export function escapeJsonForTerminal(json: string): string {
  const dangerous = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu;
  return json.replaceAll(dangerous, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Brings text onto one line, for a cell of a table. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\r\n\t\v\f]+/gu, ' ');
}
