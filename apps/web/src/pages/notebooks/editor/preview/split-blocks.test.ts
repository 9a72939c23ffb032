import { expect, it } from 'vitest';

import { splitBlocks } from './split-blocks.ts';

const paragraph = (n: number): string => `Paragraph ${n} ${'with some words '.repeat(6)}\n`;
const long = Array.from({ length: 2_000 }, (_, n) => paragraph(n)).join('\n');

it('keeps short texts whole, and loses nothing of long ones', () => {
  expect(splitBlocks('# A\n\nb')).toEqual(['# A\n\nb']);
  const blocks = splitBlocks(long);
  expect(blocks.length).toBeGreaterThan(5);
  expect(blocks.join('\n')).toBe(long);
});

it('leaves the other blocks as they are when one is changed', () => {
  const before = new Set(splitBlocks(long));
  const after = splitBlocks(long.replace(paragraph(700), `${paragraph(700)}\nAnother one.\n`));
  expect(after.length).toBeGreaterThan(20);
  expect(after.filter((block) => !before.has(block)).length).toBeLessThanOrEqual(4);
});

it('never cuts through code, and gives every block the addresses that are defined anywhere', () => {
  const code = `\`\`\`\n${long}\n\`\`\``;
  expect(splitBlocks(code)).toHaveLength(1);
  const blocks = splitBlocks(`${long}\n\n[home]: https://ok.example/\n`);
  expect(blocks.every((block) => block.includes('[home]: https://ok.example/'))).toBe(true);
  const footnotes = splitBlocks(`${long}\n\n[^1]: A footnote\n`);
  expect(footnotes.filter((block) => block.includes('[^1]:'))).toHaveLength(1);
});
