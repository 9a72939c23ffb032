/** The licences of the packages that the bundles and the dashboard contain, written to dist/THIRD_PARTY_LICENSES. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './commands.mjs';
import { writeAtomically } from './files.mjs';

/** Licences that allow shipping a package inside an MIT bundle together with its notice. */
const SHIPPABLE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Unlicense',
]);

const NO_TEXT = 'The package contains no licence text.';

/** Some packages offer a choice of licences, or have two that both apply. */
export function mayShip(license) {
  if (license.includes(' OR ')) return license.replaceAll(/[()]/gu, '').split(' OR ').some(mayShip);
  return license.split(' AND ').every((one) => SHIPPABLE.has(one));
}

export function writeLicenses(out) {
  const packages = [
    ...new Map([...ofCommands(out), ...ofSite(out)].map((one) => [`${one.name} ${one.version}`, one])).values(),
  ];
  const refused = packages.filter(({ license }) => !mayShip(license));
  if (refused.length > 0) {
    const list = refused.map(({ name, license }) => `${name} (${license})`).join(', ');
    throw new Error(`these packages must stay outside the bundle, see scripts/build/native.mjs: ${list}`);
  }
  const sections = packages
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text.trim()}\n`);
  const line = `\n${'-'.repeat(80)}\n\n`;
  const head = 'Holdfast contains these packages. Each is followed by its licence.\n';
  writeAtomically(join(out, 'THIRD_PARTY_LICENSES'), [head, ...sections].join(line));
  return packages.length;
}

function ofCommands(out) {
  const libraries = readdirSync(join(out, 'lib')).filter((name) => existsSync(join(out, 'lib', name, 'build.json')));
  const inputs = libraries.flatMap((name) =>
    Object.keys(JSON.parse(readFileSync(join(out, 'lib', name, 'build.json'), 'utf8')).inputs),
  );
  const folders = inputs.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(path)?.[0]);
  return [...new Set(folders)].filter((folder) => folder !== undefined).map(packageIn);
}

/** Vite lists the packages that scripts import, but not the font, which a style sheet imports. */
function ofSite(out) {
  const listed = JSON.parse(readFileSync(join(out, 'lib/site-licenses.json'), 'utf8'));
  const ofScripts = listed.map(({ name, version, identifier, text }) => ({
    name,
    version,
    license: identifier ?? licenseIn(text),
    text: text || NO_TEXT,
  }));
  return [...ofScripts, packageIn('node_modules/@fontsource-variable/inter')];
}

/** For packages that ship a licence text but do not name the licence in package.json. */
export function licenseIn(text) {
  return /^The MIT License\b/u.test(text ?? '') ? 'MIT' : 'unknown';
}

function packageIn(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const file = readdirSync(join(root, folder)).find((entry) =>
    /^(?:licen[cs]e|copying)(?:\.(?:md|txt))?$/iu.test(entry),
  );
  const text = file === undefined ? NO_TEXT : readFileSync(join(root, folder, file), 'utf8');
  return { name, version, license, text };
}
