import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

const TEXT_MAX = 1024 * 1024;

/** Reads the start of a small text file and guesses its encoding; returns undefined if it is unreadable. */
export async function readText(root: string, path: string): Promise<string | undefined> {
  try {
    const handle = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = await handle.stat();
      const buffer = Buffer.alloc(Math.min(size, TEXT_MAX));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
      return decode(buffer.subarray(0, bytesRead));
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Old cue sheets and descriptions use the Windows code page.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
