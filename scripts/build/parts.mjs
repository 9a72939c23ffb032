/**
 * Groups parts into files. Startup code and all small parts share one file, because opening a file costs 0.15 ms.
 * Larger lazy parts have their own file: reading a megabyte that is not used costs 19 ms, or 2 ms with a code cache
 * (measured; docs/decisions/0004-command-line.md).
 */
import { hashOf } from './files.mjs';

const OWN_FILE_FROM_BYTES = 4_000;

const PARAMETERS = 'exports,require,module,__filename,__dirname,__part';

/** Returns files as `{ name, content, map, ids, isModule }`, the startup file first. */
export function filesOf(parts) {
  const start = neededFrom('./main.js', parts);
  const scripts = parts.filter((part) => !part.isModule);
  const isApart = (part) => !start.has(part.id) && part.code.length >= OWN_FILE_FROM_BYTES;
  const together = scripts.filter((part) => !isApart(part));
  const modules = parts.filter((part) => part.isModule);
  return [
    scriptFile('main', together, start),
    ...scripts.filter(isApart).map((part) => scriptFile(baseName(part), [part], start)),
    ...modules.map((part) => moduleFile(part, parts)),
    ...bridgedParts(modules, parts).map(bridgeFile),
  ];
}

function neededFrom(id, parts) {
  const found = new Set([id]);
  for (const each of found) {
    for (const need of parts.find((part) => part.id === each)?.needs ?? []) found.add(need);
  }
  return found;
}

function scriptFile(name, parts, start) {
  // Node can load this file as a module. The launcher runs it as a script, and the result of the script is the same
  // object.
  const lines = ['(typeof module=="object"?module:{}).exports={'];
  const sections = [];
  for (const part of parts) {
    // Parentheses make V8 compile the function immediately instead of parsing it twice.
    const [open, close] = start.has(part.id) ? ['(', ')'] : ['', ''];
    lines.push(`"${part.id}":${open}function(${PARAMETERS}){`);
    sections.push({ offset: { line: lines.length, column: 0 }, map: part.map });
    lines.push(...part.code.split('\n'), `}${close},`);
  }
  lines.push('};');
  const content = `${lines.join('\n')}\n`;
  const file = `${name}-${hashOf(content)}${extensionFor(content)}`;
  return {
    name: file,
    content: `${content}//# sourceMappingURL=${file}.map\n`,
    // Node rejects a map without `sources` even if it has sections.
    map: JSON.stringify({ version: 3, sources: [], sections }),
    ids: parts.map((part) => part.id),
    isModule: false,
  };
}

/**
 * esbuild escapes non-ASCII text except in regular expressions and tagged templates. A file that is pure ASCII can be
 * read as Latin-1, which is faster; the extension marks all other files.
 */
function extensionFor(content) {
  return /\P{ASCII}/u.test(content) ? '.utf8.cjs' : '.cjs';
}

const MODULE_HEAD = `import{createRequire as __createRequire}from"node:module";
const require=__createRequire(import.meta.url),__part={url:import.meta.url,import:globalThis[Symbol.for("holdfast.parts")].import};
`;

function moduleFile(part, parts) {
  let content = MODULE_HEAD + part.source;
  for (const id of part.needs) {
    const needed = parts.find((candidate) => candidate.id === id);
    content = content.replaceAll(`"${id}"`, `"./${needed.isModule ? moduleName(needed) : bridgeName(needed)}"`);
  }
  return { name: moduleName(part), content, ids: [part.id], isModule: true };
}

function bridgedParts(modules, parts) {
  const ids = new Set(modules.flatMap((part) => part.needs));
  return parts.filter((part) => !part.isModule && ids.has(part.id));
}

/** Returns a file through which ES modules import a CommonJS part that may already be loaded. */
function bridgeFile(part) {
  const names = part.exports.filter((name) => name !== 'default');
  const content = `const part=globalThis[Symbol.for("holdfast.parts")].require("${part.id}");
export const{${names.join(',')}}=part;export default part.default;
`;
  return { name: bridgeName(part), content, ids: [], isModule: true };
}

function baseName(part) {
  return part.id.slice('./'.length, -'.js'.length);
}

function moduleName(part) {
  return `${baseName(part)}.mjs`;
}

function bridgeName(part) {
  return `${baseName(part)}.bridge.mjs`;
}
