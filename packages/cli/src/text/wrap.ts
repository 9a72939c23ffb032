import { displayWidth } from './width.ts';

/** Breaks text at spaces so that no line exceeds `columns`, except for longer words. Keeps line ends. */
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
