/** Shorter texts are one block. */
const WHOLE = 40_000;
const SHORTEST = 2_000;
const LONGEST = 30_000;

const FENCE = /^ {0,3}(?<mark>```+|~~~+)/u;
/** Matches a line that, after a blank line, cannot continue the block before it. */
const FRESH = /^[^\s>*+|<\-\d[]/u;
const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:[ \t]*\S.*$/gmu;

/**
 * Splits long Markdown into blocks that render independently. Boundaries depend only on nearby text, so that an edit
 * leaves other blocks unchanged. Adds all link definitions to each block.
 */
export function splitBlocks(text: string): readonly string[] {
  if (text.length <= WHOLE) return [text];
  const blocks: string[] = [];
  const lines = text.split('\n');
  let fence = '';
  let length = 0;
  let first = 0;
  for (const [index, line] of lines.entries()) {
    const isBoundary = fence === '' && length >= SHORTEST && lines[index - 1]?.trim() === '' && FRESH.test(line);
    if (isBoundary && (isCut(line) || length >= LONGEST)) {
      blocks.push(lines.slice(first, index).join('\n'));
      first = index;
      length = 0;
    }
    length += line.length + 1;
    const mark = FENCE.exec(line)?.groups?.['mark'] ?? '';
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence)) fence = '';
  }
  blocks.push(lines.slice(first).join('\n'));
  const definitions = text.match(DEFINITION)?.join('\n') ?? '';
  return definitions === '' ? blocks : blocks.map((block) => `${block}\n\n${definitions}`);
}

const ONE_OF = 4;

/** Selects about a quarter of all lines by their content, so that the same line always gives the same result. */
function isCut(line: string): boolean {
  const middle = line.charCodeAt(line.length >> 1);
  return (line.length * 31 + middle * 7 + line.charCodeAt(line.length - 1)) % ONE_OF === 0;
}
