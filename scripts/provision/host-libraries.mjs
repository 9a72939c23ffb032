/**
 * The unpacked compiler looks for the C library below its folder, but this machine's C library is installed and was not
 * downloaded. Links to the installed files solve it: a second C library would break every program that finds it.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function linkHostLibraries(root) {
  const libraries = join(root, 'usr/lib');
  const architectures = existsSync(libraries)
    ? readdirSync(libraries).filter((name) => name.includes('-linux-gnu'))
    : [];
  for (const architecture of architectures) {
    // Not libraries but linker scripts that name the real ones.
    const texts = ['libc.so', 'libm.so'].map((name) => join(libraries, architecture, name)).filter(existsSync);
    if (texts.length === 0) continue;
    const named = texts.flatMap((text) => readFileSync(text, 'latin1').match(/\/lib\S+/g) ?? []);
    for (const library of [...named, `/lib/${architecture}/libgcc_s.so.1`]) linkFromHost(root, library);
  }
}

function linkFromHost(root, library) {
  const link = join(root, library);
  if (existsSync(link) || !existsSync(library)) return;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(library, link);
}
