/** A command line as the shell has it, split into words as the shell would, up to where the cursor stands. */

/** The last word is the one being typed; it is empty after a space. An open quote is closed by the end. */
export function splitCommandLine(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (character === '\\' && quote !== "'") {
      index += 1;
      word = (word ?? '') + line.charAt(index);
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === ' ' || character === '\t' || character === '\n') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  return [...words, word ?? ''];
}
