/** Installs what is missing and verifies the result. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { runCommand } from './command.mjs';
import { currentPlaces, findOnPath, locate } from './locate.mjs';
import { planFor } from './plan.mjs';
import { versionOf } from './report.mjs';

const names = (list) => list.map((component) => component.name).join(', ');

function tellByHand(list) {
  console.error('Please install these; this system has no apt to do it with:');
  for (const { name, binary, brew, neededFor } of list) {
    const formula = brew === undefined ? '' : `, with Homebrew: brew install ${brew}`;
    console.error(`  ${name} (command \`${binary}\`), needed for ${neededFor}${formula}`);
  }
}

/** An unpacked program without its libraries counts as missing. */
async function isUsable(component, places) {
  const program = locate(component, places);
  return program !== undefined && (await versionOf(component, program)) !== undefined;
}

export async function provision(wanted) {
  const places = currentPlaces();
  const missing = wanted.filter((component) => locate(component, places) === undefined);
  if (missing.length === 0) return true;

  console.log(`Missing: ${names(missing)}`);
  const hasApt = ['apt-get', 'dpkg-deb'].every((program) => findOnPath(program, places.path) !== undefined);
  const plan = planFor(missing, { hasApt, isRoot: process.getuid?.() === 0 }, places.folder);
  if (plan.unpack.length > 0) prepareDownload(places.folder);
  for (const command of plan.commands) {
    console.log(`  ${command.join(' ')}`);
    runCommand(command);
  }
  if (plan.unpack.length > 0) unpack(plan.unpack, places.folder, places.path);
  if (plan.byHand.length > 0) tellByHand(plan.byHand);

  const usable = await Promise.all(missing.map((component) => isUsable(component, places)));
  const still = missing.filter((_, index) => !usable[index]);
  if (still.length > 0) console.error(`Still missing, or does not run: ${names(still)}`);
  // Removes starter scripts that do not work, because the next run would take them for installed programs.
  for (const { binary } of still) removeStarter(binary, places.folder);
  return still.length === 0;
}

const archivesFolder = (folder) => join(folder, 'apt', 'archives');

/** Removes old archives, so that only those of this run remain after the download. */
function prepareDownload(folder) {
  rmSync(archivesFolder(folder), { recursive: true, force: true });
  mkdirSync(join(archivesFolder(folder), 'partial'), { recursive: true });
  mkdirSync(join(folder, 'apt', 'lists', 'partial'), { recursive: true });
}

/** Folders below `start` that hold shared libraries, as paths below `root`. */
function libraryFolders(root, start, depth = 3) {
  if (!existsSync(join(root, start))) return [];
  const entries = readdirSync(join(root, start), { withFileTypes: true });
  const own = entries.some((entry) => /^lib.*\.so(\.\d|$)/.test(entry.name)) ? [start] : [];
  if (depth === 0) return own;
  const below = entries.filter((entry) => entry.isDirectory());
  return [...own, ...below.flatMap((entry) => libraryFolders(root, join(start, entry.name), depth - 1))];
}

/**
 * Font configuration for an unpacked browser, which draws no text without fonts. The packaged configuration would not
 * work, because it has absolute paths.
 */
const fontsConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">root/usr/share/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

function programOf(component, root, path) {
  const candidates = [component.unpacked?.program, `usr/bin/${component.binary}`, `usr/sbin/${component.binary}`];
  const unpacked = candidates.find((file) => file !== undefined && existsSync(join(root, file)));
  if (unpacked !== undefined) return `{root}/${unpacked}`;
  // The package contains only a link to a program in another package. That package is installed on the machine, but not
  // unpacked here.
  const installed = findOnPath(component.binary, path);
  if (installed === undefined) throw new Error(`the packages of ${component.name} hold no program ${component.binary}`);
  return installed;
}

const starterFile = (binary, folder) => join(folder, 'bin', binary);

function removeStarter(binary, folder) {
  rmSync(starterFile(binary, folder), { force: true });
}

function unpack(wanted, folder, path) {
  const root = join(folder, 'root');
  mkdirSync(root, { recursive: true });
  for (const name of readdirSync(archivesFolder(folder)).filter((file) => file.endsWith('.deb'))) {
    runCommand(['dpkg-deb', '-x', join(archivesFolder(folder), name), root]);
  }
  rmSync(join(folder, 'apt'), { recursive: true, force: true });
  linkHostLibraries(root);
  writeFileSync(join(folder, 'fonts.conf'), fontsConfiguration);

  const libraries = [...libraryFolders(root, 'lib'), ...libraryFolders(root, 'usr/lib')];
  mkdirSync(join(folder, 'bin'), { recursive: true });
  for (const component of wanted) {
    const starter = starterFile(component.binary, folder);
    writeFileSync(starter, starterScript(component, programOf(component, root, path), libraries));
    chmodSync(starter, 0o755);
  }
}

/**
 * Creates links to the machine's C library, because the unpacked compiler looks for a C library below its own folder.
 * The C library itself is not unpacked, because a second one would break every program that finds it.
 */

function linkHostLibraries(root) {
  const libraries = join(root, 'usr/lib');
  const architectures = existsSync(libraries)
    ? readdirSync(libraries).filter((name) => name.includes('-linux-gnu'))
    : [];
  for (const architecture of architectures) {
    // These two files are linker scripts with the paths of the real libraries.
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

/**
 * Returns the script that starts an unpacked program. The script finds its folder from its own path, so the cache can
 * be moved. It replaces itself with the program, so signals reach the program.
 */
export function starterScript(component, program, libraries) {
  const variables = Object.entries(component.unpacked?.environment ?? {});
  const search = libraries.map((library) => `{root}/${library}`).join(':');
  const lines = [
    '#!/bin/sh',
    'root=${0%/*}/../root',
    `export LD_LIBRARY_PATH="${search}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"`,
    ...variables.map(([name, value]) => `export ${name}="${value}"`),
    ['exec', ...[program, ...(component.unpacked?.args ?? [])].map((word) => `"${word}"`), '"$@"'].join(' '),
  ];
  return `${lines.join('\n')}\n`.replaceAll('{root}', '$root');
}
