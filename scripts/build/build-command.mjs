/** Builds one command from sources to an executable file in dist/bin. */
import { join } from 'node:path';
import { bundle } from './bundle.mjs';
import { hasCodeCache, makeCodeCache } from './code-cache.mjs';
import { writeAtomically } from './files.mjs';
import { launcherSource } from './launcher.mjs';
import { filesOf } from './parts.mjs';
import { isUnchanged, prune, readStamp, writeStamp } from './stamp.mjs';

/** Returns a word for the result, for example `unchanged`. */
export async function buildCommand(command, { out, isForced = false, withCodeCache = true }) {
  const library = join(out, 'lib', command.name);
  const stamp = isForced ? undefined : readStamp(library);
  const isCurrent = stamp !== undefined && isUnchanged(stamp, command, out);
  if (isCurrent && (!withCodeCache || hasCodeCache(library, stamp.outputs))) return 'unchanged';
  const { files, summary } = isCurrent
    ? { files: stamp.outputs, summary: 'unchanged' }
    : await build(command, out, library);
  if (!withCodeCache) return summary;
  makeCodeCache(command, library, files);
  return `${summary}, code cache for ${process.version}`;
}

async function build(command, out, library) {
  const { parts, inputs } = await bundle(command);
  const files = filesOf(parts);
  for (const file of files) {
    writeAtomically(join(library, file.name), file.content);
    if (file.map !== undefined) writeAtomically(join(library, `${file.name}.map`), file.map);
  }
  const launcher = await launcherSource(command.name, files);
  writeAtomically(join(out, 'bin/package.json'), '{ "type": "commonjs" }\n');
  writeAtomically(join(library, 'package.json'), '{ "type": "commonjs" }\n');
  writeAtomically(join(library, 'warm-up.cjs'), launcher.forWarmUp);
  writeAtomically(join(out, 'bin', command.name), launcher.forUse, 0o755);
  const outputs = files.map(({ name, isModule }) => ({ name, isModule }));
  writeStamp(library, { command, inputs, outputs });
  prune(library, outputs);
  return { files: outputs, summary: `${sizeOf(files)} in ${files.length} ${files.length === 1 ? 'file' : 'files'}` };
}

function sizeOf(files) {
  const [first, ...rest] = files.map((file) => Buffer.byteLength(file.content));
  const later = rest.reduce((sum, size) => sum + size, 0);
  return later === 0 ? kilobytes(first) : `${kilobytes(first)} at start + ${kilobytes(later)} on demand`;
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
