/**
 * All steps of `npm test`, in order. `needs` lists all required steps, indirect ones too. `work` returns a command, or
 * the reason why nothing runs. It is called when the step starts, because it depends on the results of earlier steps.
 */
import { delimiter, dirname, join } from 'node:path';
import { components } from '../provision/components.mjs';
import { provisionedEnvironment } from '../provision/environment.mjs';
import { repositoryFolder } from '../provision/folders.mjs';
import { currentPlaces, locate, programPath } from '../provision/locate.mjs';
import { installReason, stampInstall } from './install.mjs';
import { vitestArguments } from './report.mjs';

const install = {
  name: 'install',
  title: 'dependencies as in package-lock.json',
  kind: 'prepare',
  needs: [],
  limitMinutes: 15,
  work: () =>
    installReason(repositoryFolder) === undefined ? { nothing: 'unchanged' } : { program: 'npm', args: ['ci'] },
  after: () => stampInstall(repositoryFolder),
};

const provision = {
  name: 'provision',
  title: 'the real programs that tests use',
  kind: 'prepare',
  needs: [],
  limitMinutes: 30,
  work: () =>
    components.every((component) => locate(component, currentPlaces()) !== undefined)
      ? { nothing: 'all here' }
      : { program: process.execPath, args: ['scripts/provision.mjs'] },
};

const build = {
  name: 'build',
  title: 'bundles in dist/',
  kind: 'prepare',
  needs: ['install'],
  limitMinutes: 5,
  work: () => ({ program: process.execPath, args: ['scripts/build.mjs'] }),
};

function check(name, title, tool, args) {
  const program = join('node_modules', '.bin', tool);
  return { name, title, kind: 'check', needs: ['install'], limitMinutes: 10, work: () => ({ program, args }) };
}

const lockfile = {
  name: 'lockfile',
  title: 'package-lock.json holds all platforms',
  kind: 'check',
  needs: [],
  limitMinutes: 1,
  work: () => ({ program: process.execPath, args: ['scripts/lock.mjs', '--check'] }),
};

const documents = {
  name: 'documents',
  title: 'generated parts of the documents are current',
  kind: 'check',
  needs: ['install'],
  limitMinutes: 5,
  work: () => ({ program: process.execPath, args: ['scripts/docs.mjs', '--check'] }),
};

function tests(name, title, needs) {
  return {
    name,
    title,
    kind: 'tests',
    needs: ['install', 'provision', ...needs],
    limitMinutes: 30,
    work: (options) => ({
      program: process.execPath,
      args: vitestArguments(name, name, options),
      environment: provisionedEnvironment(),
    }),
  };
}

/** Tests of code that depends closely on Node itself, or on the SQLite driver, which differs between Node 20 and 24. */
const nearNode = ['packages/sqlite/', 'packages/keyspace/', 'packages/base/', '/src/store/', '/src/adapters/'];

const node24 = {
  ...tests('node24', 'unit tests of what touches the system, on Node 24', []),
  work: (options) => {
    const program = programPath('node24');
    const { PATH, ...environment } = provisionedEnvironment();
    // Tests that start `node` by name must get Node 24.
    const path = [dirname(program), PATH].join(delimiter);
    const args = vitestArguments('node24', 'unit', options);
    const isWhole = options.filters.length === 0 && options.testName === undefined;
    return { program, args: isWhole ? [...args, ...nearNode] : args, environment: { ...environment, PATH: path } };
  },
};

export const steps = [
  install,
  provision,
  build,
  // Checks run in parallel; the longest starts first.
  check('format', 'prettier', 'prettier', ['--check', '.']),
  lockfile,
  check('types', 'tsc', 'tsc', ['-p', '.']),
  check('web-types', 'tsc for the dashboard', 'tsc', ['-p', 'apps/web']),
  check('lint', 'oxlint', 'oxlint', []),
  check('layers', 'imports point downwards', 'depcruise', ['packages', 'apps', '--config']),
  check('unused', 'no unused files, exports or dependencies', 'knip', ['--no-config-hints']),
  documents,
  tests('unit', 'unit, property, conformance and model tests', []),
  tests('postgres', 'service tests of the applications, on PostgreSQL', []),
  tests('crash', 'killed processes and injected faults', ['build']),
  { ...tests('e2e', 'the built commands, used as a person would', ['build']), secondAttempt: /^apps\/web\/test\// },
  node24,
];
