/** Decides how to install missing components. Pure, so it is tested without installing. */
import { join } from 'node:path';

const installOptions = ['install', '-y', '--no-install-recommends'];

/** Waits up to 300 s for another apt process, for example in a container that updates itself at start. */
const rootOptions = ['-qq', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3'];

function installAsRoot(packages) {
  return [
    ['apt-get', ...rootOptions, 'update'],
    ['apt-get', ...rootOptions, ...installOptions, ...packages],
  ];
}

/**
 * Any user can resolve dependencies and download with apt, if apt keeps its lists and archives in a folder that the
 * user owns and takes no locks. `--reinstall` also downloads a package that is installed but incomplete.
 */
function downloadAsUser(packages, folder) {
  const state = `Dir::State::lists=${join(folder, 'apt', 'lists')}`;
  const cache = `Dir::Cache=${join(folder, 'apt')}`;
  const options = ['-qq', '-o', state, '-o', cache, '-o', 'Debug::NoLocking=1', '-o', 'Acquire::Retries=3'];
  return [
    ['apt-get', ...options, 'update'],
    ['apt-get', ...options, ...installOptions, '--reinstall', '--download-only', ...packages],
  ];
}

function installFromNpm(missing, folder) {
  return missing.flatMap(({ npmPackage, npmFolder }) =>
    npmPackage === undefined || npmFolder === undefined
      ? []
      : [['npm', 'install', '--prefix', join(folder, npmFolder), '--no-audit', '--no-fund', npmPackage]],
  );
}

export function planFor(missing, system, folder) {
  const fromNpm = installFromNpm(missing, folder);
  const fromDebian = missing.filter((component) => component.debianPackages.length > 0);
  if (fromDebian.length === 0) return { commands: fromNpm, unpack: [], byHand: [] };
  if (!system.hasApt) return { commands: fromNpm, unpack: [], byHand: fromDebian };

  const packages = [...new Set(fromDebian.flatMap((component) => component.debianPackages))];
  return system.isRoot
    ? { commands: [...installAsRoot(packages), ...fromNpm], unpack: [], byHand: [] }
    : { commands: [...downloadAsUser(packages, folder), ...fromNpm], unpack: fromDebian, byHand: [] };
}
