/** Installs what is missing and verifies the result. */
import { runCommand } from './command.mjs';
import { findOnPath, currentPlaces, locate } from './locate.mjs';
import { planFor } from './plan.mjs';
import { prepareDownload, removeStarter, unpack } from './unpack.mjs';
import { versionOf } from './report.mjs';

const names = (list) => list.map((component) => component.name).join(', ');

function tellByHand(list) {
  console.error('Please install these; this system has no apt to do it with:');
  for (const { name, binary, brew, neededFor } of list) {
    const formula = brew === undefined ? '' : `, with Homebrew: brew install ${brew}`;
    console.error(`  ${name} (command \`${binary}\`), needed for ${neededFor}${formula}`);
  }
}

/** An unpacked program without its libraries counts as missing.*/
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
  // Otherwise the next run would find a broken program.
  for (const { binary } of still) removeStarter(binary, places.folder);
  return still.length === 0;
}
