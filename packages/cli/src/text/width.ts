/**
 * Width of text in terminal columns. Intl.Segmenter would find the same clusters, but loading it costs 9 ms, an eighth
 * of a command's time budget, and any dash or curly quote would require it. A test compares the two.
 */
/** Characters that are drawn as one symbol and must not be split. */
interface Cluster {
  readonly text: string;
  readonly width: number;
}

const ONLY_ASCII = /^[ -~]*$/u;
const ZERO_WIDTH_JOINER = '\u200d';
const EMOJI_SELECTOR = '\ufe0f';

export function displayWidth(text: string): number {
  if (ONLY_ASCII.test(text)) return text.length;
  let width = 0;
  for (const cluster of clusters(text)) width += cluster.width;
  return width;
}

/** Shortens text to `columns`. If anything was cut, an ellipsis takes the last column. */
export function truncate(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  return columns < 1 ? '' : `${takeColumns(text, columns - 1)}…`;
}

/** Returns the longest prefix that fits into `columns`. */
export function takeColumns(text: string, columns: number): string {
  if (ONLY_ASCII.test(text)) return text.slice(0, Math.max(0, columns));
  let kept = '';
  let width = 0;
  for (const cluster of clusters(text)) {
    width += cluster.width;
    if (width > columns) break;
    kept += cluster.text;
  }
  return kept;
}

export function* clusters(text: string): Generator<Cluster> {
  let current = '';
  let width = 0;
  for (const character of text) {
    if (current !== '' && !continuesCluster(current, character)) {
      yield { text: current, width };
      current = '';
      width = 0;
    }
    current += character;
    // A cluster is as wide as its widest member.
    width = Math.max(width, isDoubled(current, character) ? 2 : characterWidth(character));
  }
  if (current !== '') yield { text: current, width };
}

/** Compiled on first use, because Unicode property patterns take most of a millisecond to compile. */
const createPatterns = () => ({
  // Marks, format characters (joiners, variation selectors, tags), and Korean vowels and finals that combine with the
  // letter before them.
  takesNoColumn: /^[\p{M}\p{Cf}\u1160-\u11ff]$/u,
  // East Asian wide and full-width blocks; Emoji_Presentation covers emoji elsewhere.
  wideBlock:
    /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]$/u,
  emoji: /^\p{Emoji_Presentation}$/u,
  canBeEmoji: /^\p{Emoji}/u,
  pictograph: /^\p{Extended_Pictographic}/u,
  regionalIndicator: /^\p{Regional_Indicator}$/u,
  skinTone: /^\p{Emoji_Modifier}$/u,
});
let knownPatterns: ReturnType<typeof createPatterns> | undefined;

function patterns(): ReturnType<typeof createPatterns> {
  knownPatterns ??= createPatterns();
  return knownPatterns;
}

function continuesCluster(current: string, next: string): boolean {
  const { takesNoColumn, skinTone, pictograph, regionalIndicator } = patterns();
  if (takesNoColumn.test(next)) return true;
  if (skinTone.test(next)) return pictograph.test(current);
  if (regionalIndicator.test(next)) return regionalIndicator.test(current);
  return current.endsWith(ZERO_WIDTH_JOINER) && pictograph.test(current) && pictograph.test(next);
}

/** True if two characters form one double-width symbol: an emoji with its selector, or the two letters of a flag. */
function isDoubled(current: string, last: string): boolean {
  const { canBeEmoji, regionalIndicator } = patterns();
  if (last === EMOJI_SELECTOR) return canBeEmoji.test(current);
  return current !== last && regionalIndicator.test(last);
}

function characterWidth(character: string): 0 | 1 | 2 {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return code === 0xad ? 0 : 1;
  const { takesNoColumn, regionalIndicator, wideBlock, emoji } = patterns();
  if (takesNoColumn.test(character)) return 0;
  if (regionalIndicator.test(character)) return 1;
  return wideBlock.test(character) || emoji.test(character) ? 2 : 1;
}

/** Breaks text at spaces so that no line exceeds `columns`, unless a single word is longer. Keeps line ends. */
export function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line !== '' && displayWidth(longer) > columns) {
        lines.push(line);
        line = word;
      } else {
        line = longer;
      }
    }
    lines.push(line);
  }
  return lines;
}
