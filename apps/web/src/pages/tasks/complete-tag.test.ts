import { expect, it } from 'vitest';

import { suggestedTags, tagAtEnd, tagInList, withListedTag, withTag } from './complete-tag.ts';

const known = ['home', 'hobby', 'two words', 'work'];

it('completes the tag at the end of a line', () => {
  const typed = tagAtEnd('Paint #ho');
  expect(typed).toEqual({ start: 6, prefix: 'ho' });
  expect(suggestedTags(known, typed!)).toEqual(['home', 'hobby']);
  expect(withTag('Paint #ho', typed!, 'home')).toBe('Paint #home ');
  expect(withTag('Paint #tw', tagAtEnd('Paint #tw')!, 'two words')).toBe('Paint #"two words" ');
});

it('suggests nothing inside a word, after a space, or for a complete tag', () => {
  expect(tagAtEnd('C#ho')).toBeUndefined();
  expect(tagAtEnd('Paint #ho ')).toBeUndefined();
  expect(suggestedTags(known, tagAtEnd('#Home')!)).toEqual([]);
});

it('completes the last tag of a list', () => {
  const typed = tagInList('home, wo');
  expect(suggestedTags(known, typed!)).toEqual(['work']);
  expect(withListedTag('home, wo', typed!, 'work')).toBe('home, work, ');
  expect(tagInList('home, ')).toBeUndefined();
});
