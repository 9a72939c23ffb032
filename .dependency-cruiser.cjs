/**
 * The layers of ARCHITECTURE.md, enforced. Imports point downwards:
 * faces → operations → services → store and adapters → model. Applications do not know each other.
 */
const faces = 'cli|http|mcp|tui';
const operations = 'operations';
const services = 'service|git|watch|scan|organise|merge';
/** `media` reads audio formats from bytes, `worker` reads what a worker printed: no storage, no files, no processes. */
const pure = 'model|media|worker';
const store = 'store';
const adapters = 'adapters';
const inApp = (...folders) => `^apps/[^/]+/src/(${folders.join('|')})/`;
const database = '^packages/(sqlite|keyspace)/';
const outside = '^(node:)?(fs|net|tls|dgram|child_process|worker_threads|http|https|http2|os)(/|$)';
const test = '\\.test\\.tsx?$';
/** Composition roots: the umbrella command, the server and the dashboard. */
const roots = '^apps/(holdfast|hub|web)/';
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'An operation loads its service when it runs, and the service takes its types from the operation.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import', 'type-only'] } },
    },
    {
      name: 'base-stands-alone',
      severity: 'error',
      from: { path: '^packages/base/src', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^(packages/base/src|node:|process|child_process|crypto|fs|os|path|util)' },
    },
    {
      name: 'sqlite-knows-only-base-and-its-driver',
      severity: 'error',
      from: { path: '^packages/sqlite/src', pathNot: '\\.test\\.ts$' },
      to: { path: '^(packages|apps)/', pathNot: '^packages/(base|sqlite)/' },
    },
    {
      name: 'one-file-imports-the-driver',
      severity: 'error',
      from: { pathNot: '^packages/sqlite/src/driver\\.ts$' },
      to: { path: 'node_modules/@photostructure/sqlite' },
    },
    {
      name: 'keyspace-knows-only-base-and-sqlite',
      severity: 'error',
      from: { path: '^packages/keyspace/src', pathNot: '\\.test\\.ts$' },
      to: { path: '^(packages|apps)/', pathNot: '^packages/(base|sqlite|keyspace)/' },
    },
    {
      name: 'only-the-sqlite-engine-knows-sqlite',
      comment: 'The rest of the keyspace must work unchanged on PostgreSQL.',
      severity: 'error',
      from: { path: '^packages/keyspace/src', pathNot: '(/engines/sqlite|\\.test\\.ts$|/index\\.ts$)' },
      to: { path: '^packages/sqlite/' },
    },
    {
      name: 'postgres-knows-only-base-sqlite-and-keyspace',
      severity: 'error',
      from: { path: '^packages/postgres/src', pathNot: '\\.test\\.ts$' },
      to: { path: '^(packages|apps)/', pathNot: '^packages/(base|sqlite|keyspace|postgres)/' },
    },
    {
      name: 'git-and-operation-know-only-base',
      severity: 'error',
      from: { path: '^packages/(git|operation)/src', pathNot: '\\.test\\.ts$' },
      to: { path: '^(packages|apps)/', pathNot: '^packages/(base/|$1/)' },
    },
    {
      name: 'cli-and-http-know-only-base-and-operation',
      severity: 'error',
      from: { path: '^packages/(cli|http)/src', pathNot: '\\.test\\.ts$' },
      to: { path: '^(packages|apps)/', pathNot: '^packages/(base/|operation/|$1/)' },
    },
    {
      name: 'accounts-know-only-base-keyspace-and-operation',
      severity: 'error',
      from: { path: '^packages/accounts/src', pathNot: test },
      to: { path: '^(packages|apps)/', pathNot: '^packages/(base|keyspace|operation|accounts)/' },
    },
    {
      name: 'packages-never-import-apps',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^apps/' },
    },
    {
      name: 'apps-are-islands',
      comment: 'hub, web and the holdfast command are the composition roots.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: '^apps/(holdfast|hub|web)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'model-is-pure',
      comment: 'Schemas, state machines and rules: no storage, no files, no processes.',
      severity: 'error',
      from: { path: inApp(pure), pathNot: test },
      to: { path: [inApp(store, adapters, services, operations, faces), database, outside] },
    },
    {
      name: 'adapters-know-only-the-model',
      severity: 'error',
      comment: 'An adapter may implement an interface that the store declares.',
      from: { path: inApp(adapters), pathNot: [test, roots] },
      to: {
        path: [inApp(store, services, operations, faces), '^packages/sqlite/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'store-below-services',
      comment: 'A store may look at the files of its database.',
      severity: 'error',
      from: { path: inApp(store), pathNot: test },
      to: { path: inApp(services, operations, faces) },
    },
    {
      name: 'services-below-operations-and-faces',
      comment: 'A service may take the types of its input from the operation.',
      severity: 'error',
      from: { path: inApp(services), pathNot: [test, roots] },
      to: { path: inApp(faces, operations), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'services-use-the-store',
      comment:
        'SQL is written in store/ only. A keyspace has typed definitions instead of SQL, which services use in transactions.',
      severity: 'error',
      from: { path: inApp(services, operations, faces), pathNot: [test, roots] },
      to: { path: '^packages/sqlite/' },
    },
    {
      name: 'operations-are-data',
      comment: 'They load their service when they run, and may name types of everything below.',
      severity: 'error',
      from: { path: inApp(operations), pathNot: test },
      to: {
        path: [inApp(store, adapters, services, faces), database, outside],
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    {
      name: 'faces-go-through-services',
      severity: 'error',
      from: { path: inApp(faces), pathNot: [test, roots, '^apps/(audiobooks|ringmaster)/'] },
      to: { path: [inApp(store), database] },
    },
    {
      name: 'only-adapters-touch-the-outside',
      severity: 'error',
      from: { path: '^apps/[^/]+/src/', pathNot: [test, roots, inApp(adapters, store)] },
      to: { path: outside },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|\\.cache)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['holdfast-source', 'import', 'types', 'default'],
    },
  },
};
