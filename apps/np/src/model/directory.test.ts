import { describe, expect, it } from 'vitest';
import { canonicalForm, directoryHash, withParents } from './ids.ts';

describe('directories', () => {
  it('are hashed whole: 64 hexadecimal digits', () => {
    expect(directoryHash('/a/b')).toMatch(/^[0-9a-f]{64}$/u);
    expect(directoryHash('/a/b')).not.toBe(directoryHash('/a/B'));
  });

  it('are walked upwards to the root, and not beyond', () => {
    expect(withParents('/a/b/c')).toEqual(['/a/b/c', '/a/b', '/a', '/']);
    expect(withParents('/')).toEqual(['/']);
    expect(withParents('c:/users/me')).toEqual(['c:/users/me', 'c:/users', 'c:/']);
    expect(withParents('//server/share/x')).toEqual(['//server/share/x', '//server/share']);
  });

  it('are folded to lower case and forward slashes on Windows only', () => {
    expect(canonicalForm('C:\\Users\\Me', 'win32')).toBe('c:/users/me');
    expect(canonicalForm('\\\\?\\C:\\Long', 'win32')).toBe('c:/long');
    expect(canonicalForm('\\\\?\\UNC\\Server\\Share', 'win32')).toBe('//server/share');
    expect(canonicalForm('/Users/Me\\x', 'linux')).toBe('/Users/Me\\x');
    expect(canonicalForm('/Users/Me', 'darwin')).toBe('/Users/Me');
  });
});
