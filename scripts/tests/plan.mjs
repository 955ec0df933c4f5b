// The groups of tests, each run in a process of its own; the slowest come first. A file belongs to the group with the
// longest of the `paths` that its own path below `dist/test/` starts with. Groups with `imports` come before the
// others: they take the files below their paths whose text has such an import.
//
// `npm test` runs the groups without `leftOut`: they take minutes, need nothing but Node, and include money from the
// bid to the statement. `leftOut` describes the other groups for readers of the summary. `.ci/run` runs all groups
// except those that are `long`, which `npm run check:long` runs. A group that is `beside` computes next to nothing and
// waits for clocks instead: it runs beside the others, not in place of one. `slow` tells why `npm run test:quick` does
// not run a group that `npm test` runs.

/** An import of a test that tries generated cases or compares an algorithm with a naive one. */
const PROPERTIES = /from '(fast-check|[^']*\/naive\/[^']*)'/;
/** Files at the paths, whatever they import. */
const ANY = /^/;

export const GROUPS = [
  {
    name: 'specification-a-d',
    paths: ['a', 'b', 'c', 'd'].map((letter) => `specification/${letter}`),
    leftOut: 'the rest of the specification, over HTTP',
  },
  {
    name: 'faults',
    paths: ['faults/exchange/', 'faults/full-memory/', 'faults/month-end/', 'faults/mongodb.', 'faults/redis.'],
    leftOut: 'an exchange whose processes and servers are killed; real servers',
  },
  {
    name: 'more-faults',
    paths: ['faults/'],
    leftOut: 'nodes, edges, shards and regions that are killed, paused, cut off, wiped and replaced; real servers',
    long: true,
  },
  {
    name: 'browser',
    paths: [
      ...['story', 'session', 'catalogue', 'creative-review', 'errors', 'weight'].map((part) => `dashboard/${part}.`),
      'documentation/site/in-browser.',
    ],
    leftOut: 'the dashboard and the documentation, in a browser',
  },
  { name: 'pages', paths: ['dashboard/'], leftOut: 'the dashboard, page by page, in a browser', long: true },
  {
    name: 'failovers',
    paths: ['runtime/providers/redis/replicated-log-contract.'],
    leftOut: 'the log’s contract on Redis with replicas',
    long: true,
  },
  {
    name: 'waits',
    paths: [
      'client/live-metrics.',
      'runtime/providers/redis/replicated-log.',
      'specification/breaker-recovery.',
      'specification/metrics-push.',
    ],
    leftOut: 'what takes its time by the clock: live metrics, a breaker that closes, replicas that are missing',
    beside: true,
  },
  {
    name: 'model',
    paths: ['gateways/management/model/'],
    imports: PROPERTIES,
    leftOut: 'random calls of the management API, against a model of it',
  },
  { name: 'management', paths: ['gateways/management/'], leftOut: 'the management API, call by call' },
  { name: 'specification-e-z', paths: ['specification/'], leftOut: 'the rest of the specification, over HTTP' },
  {
    name: 'programs',
    paths: ['composition/', 'cli/', 'deploy/'],
    leftOut: 'programs that are started, killed, upgraded and deployed',
  },
  {
    name: 'integrations',
    paths: ['integrations/'],
    leftOut: 'clients of others that plug into the exchange; `npm run test:integrations` installs them',
  },
  {
    name: 'gateways',
    paths: ['gateways/', 'players/', 'client/'],
    leftOut: 'webhooks, WebSocket, creative files, bidders, players in a browser, the TypeScript client',
  },
  { name: 'scheduler', paths: ['scheduler/'], leftOut: 'jobs and duties, by the calendar and by the clock' },
  { name: 'rules', paths: ['', 'faults/suite/suite.', 'dashboard/figures.'] },
  { name: 'edge', paths: ['gateways/edge/', 'edge/'] },
  {
    name: 'properties',
    paths: ['actors/', 'edge/', 'exchange/', 'gateways/', 'runtime/'],
    imports: PROPERTIES,
  },
  {
    name: 'bounds',
    paths: [
      'actors/impression-rollup/bounds.',
      'actors/largest-documents.',
      'actors/ledger/bounds.',
      'actors/ledger/hostile-names.',
      'edge/pace/pace-over-a-day.',
      'runtime/node/quarantine.',
      'security/linear/',
    ],
    imports: ANY,
    slow: 'inputs and documents as large as they may be, days of traffic at once',
  },
  {
    name: 'money',
    paths: [
      'simulation/money/',
      'specification/auction.',
      'specification/budget.',
      'specification/delegate-auctions.',
      'specification/money.',
      'specification/pods.',
      'specification/reports-and-billing.',
      'specification/tracking.',
      'golden/',
    ],
    slow: 'money from the bid to the statement, through whole exchanges',
  },
  { name: 'runtime', paths: ['runtime/', 'runtime/providers/memory/'] },
  { name: 'providers', paths: ['runtime/providers/'], slow: 'the log and the store on disks and servers' },
  {
    name: 'exchanges',
    paths: [
      'documentation/commands/',
      'documentation/tutorials.',
      'documentation/recipes.',
      'documentation/runbook.',
      'documentation/site/',
      'edge/collected-requests.',
      'gateways/edge/collected-requests.',
    ],
    slow: 'tutorials, recipes, the runbook and collected requests, on whole exchanges',
  },
  { name: 'simulations', paths: ['simulation/', 'runtime/simulator/'], leftOut: 'clusters in virtual time, by seed' },
];

/**
 * The groups that `npm run test:<name>` runs, in this order. Each group is in at least one selection, except those that
 * are `long`. `quick` has the groups that compute in one process without servers, so that it ends within one minute:
 * `runtime` waits most of its time, and `edge` half of it, so `QUICK_LANES` run at once on two cores.
 */
export const SELECTIONS = {
  quick: ['runtime', 'properties', 'edge', 'rules'],
  properties: ['model', 'properties', 'bounds', 'simulations'],
  gateways: ['management', 'gateways', 'edge', 'model', 'integrations', 'waits'],
  system: [
    'specification-a-d',
    'faults',
    'browser',
    'specification-e-z',
    'waits',
    'programs',
    'scheduler',
    'money',
    'providers',
    'exchanges',
  ],
};

/** How many of the quick groups run at once on two cores. */
export const QUICK_LANES = 3;

/** The group of a test file, from its path below `dist/test/` and its text. */
export function groupOf(file, text) {
  const byImports = GROUPS.filter(({ imports }) => imports?.test(text));
  const others = GROUPS.filter(({ imports }) => imports === undefined);
  return byPath(file, byImports) ?? byPath(file, others);
}

/** The group with the longest path that is a prefix of the file's path. */
function byPath(file, groups) {
  let found;
  let length = -1;
  for (const group of groups) {
    for (const path of group.paths) {
      if (file.startsWith(path) && path.length > length) {
        found = group;
        length = path.length;
      }
    }
  }
  return found;
}
