import { describe, expect, it } from 'vitest';

import { parseEntry, parseTags } from './parse-entry.ts';

describe('a line for the task list', () => {
  it.each([
    ['Buy milk', { text: 'Buy milk', tags: [] }],
    ['Buy milk #Errand #shop', { text: 'Buy milk', tags: ['errand', 'shop'] }],
    ['#home  paint the #"Living Room" wall', { text: 'paint the wall', tags: ['home', 'living room'] }],
    ['Fix #12 and C# and a#b', { text: 'Fix #12 and C# and a#b', tags: [] }],
    ['Ship #v1.2 #日本語 #🎉 #2026-goals', { text: 'Ship', tags: ['v1.2', '日本語', '🎉', '2026-goals'] }],
    ['twice #a #A', { text: 'twice', tags: ['a'] }],
    ['# alone #', { text: '# alone #', tags: [] }],
    ['#only', { text: '', tags: ['only'] }],
  ])('%s', (line, entry) => {
    expect(parseEntry(line)).toEqual(entry);
  });

  it('tags by themselves are parted by commas', () => {
    expect(parseTags(' Home, two words,,home ')).toEqual(['home', 'two words']);
    expect(parseTags('')).toEqual([]);
  });
});
