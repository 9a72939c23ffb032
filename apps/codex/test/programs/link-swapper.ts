/** Replaces a folder with a symbolic link and back, as fast as it can. Arguments: path, link target. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeSync } from 'node:fs';

const [place, target] = process.argv.slice(2) as [string, string];
writeSync(1, 'started\n');
for (let n = 0; ; n++) {
  const aside = `${place}.aside-${n}`;
  try {
    symlinkSync(target, `${place}.link`);
    renameSync(place, aside);
    renameSync(`${place}.link`, place);
    rmSync(place);
    renameSync(aside, place);
  } catch {
    rmSync(`${place}.link`, { force: true });
    mkdirSync(place, { recursive: true });
  }
}
