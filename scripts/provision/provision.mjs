/** Carries out the plan for what is missing, then makes sure that it is no longer missing. */
import { runCommand } from './command.mjs';
import { findOnPath, currentPlaces, locate } from './locate.mjs';
import { planFor } from './plan.mjs';
import { prepareDownload, unpack } from './unpack.mjs';

/** @typedef {import('./components.d.mts').Component} Component */

/** @param {readonly Component[]} wanted @param {import('./locate.d.mts').Places} places */
const missingOf = (wanted, places) => wanted.filter((component) => locate(component, places) === undefined);

/** @param {readonly Component[]} list */
const names = (list) => list.map((component) => component.name).join(', ');

/** @param {readonly Component[]} list */
function tellByHand(list) {
  console.error('Please install these; this system has no apt to do it with:');
  for (const { name, binary, brew, neededFor } of list) {
    const formula = brew === undefined ? '' : `, with Homebrew: brew install ${brew}`;
    console.error(`  ${name} (command \`${binary}\`), needed for ${neededFor}${formula}`);
  }
}

/** @param {readonly Component[]} wanted @returns {boolean} whether nothing is missing any more */
export function provision(wanted) {
  const places = currentPlaces();
  const missing = missingOf(wanted, places);
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

  const still = missingOf(missing, places);
  if (still.length > 0) console.error(`Still missing: ${names(still)}`);
  return still.length === 0;
}
