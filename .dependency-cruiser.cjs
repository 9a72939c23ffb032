/** The layers of ARCHITECTURE.md, enforced: imports point downwards, apps are islands, only adapters touch the outside. */
const storeOnly = '(^|/)(packages/sqlite|packages/keyspace)/';
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
      name: 'accounts-know-only-base-and-keyspace',
      severity: 'error',
      from: { path: '^packages/accounts/src', pathNot: '\\.test\\.ts$' },
      to: { path: '^(packages|apps)/', pathNot: '^packages/(base|keyspace|accounts)/' },
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
      severity: 'error',
      from: { path: '^apps/[^/]+/src/model/', pathNot: '\\.test\\.ts$' },
      to: {
        path: [
          '^apps/[^/]+/src/(store|adapters|service|cli|http|tui|mcp|worker)/',
          storeOnly,
          '^(node:)?(fs|net|child_process|http|https|os)(/|$)',
        ],
      },
    },
    {
      name: 'only-store-touches-a-database',
      severity: 'error',
      from: {
        path: '^apps/[^/]+/src/(service|cli|http|tui|mcp|adapters|worker)/',
        pathNot: '(\\.test\\.ts$|^apps/(holdfast|hub|web)/)',
      },
      to: { path: '^packages/sqlite/' },
    },
    {
      name: 'only-adapters-touch-the-outside',
      comment: 'A store may look at the files of its database.',
      severity: 'error',
      from: {
        path: '^apps/[^/]+/src/',
        pathNot: ['\\.test\\.ts$', '^apps/(holdfast|hub|web)/', '^apps/[^/]+/src/(adapters|store)/'],
      },
      to: { path: '^(node:)?(fs|net|tls|dgram|child_process|worker_threads|http|https|http2|os)(/|$)' },
    },
    {
      name: 'faces-go-through-services',
      severity: 'error',
      from: { path: '^apps/(np|utask)/src/(cli|http|tui|mcp)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^apps/[^/]+/src/store/' },
    },
    {
      name: 'service-below-the-faces',
      severity: 'error',
      from: { path: '^apps/[^/]+/src/(service|store|adapters|model)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^apps/[^/]+/src/(cli|http|tui|mcp)/' },
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
