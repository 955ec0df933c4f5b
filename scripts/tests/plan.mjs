// The groups that the tests run in, each a process of its own; those that take longest first. A file belongs to the
// group with the longest of the `paths` that its own, below `dist/test/`, starts with. Groups with `imports` come before the
// others: they take those files below their paths whose text has such an import.
//
// `npm test` runs the groups without `leftOut`: in minutes, with nothing but Node, money from the bid to the statement among
// them. `leftOut` says what the others are for those who read the summary. `.ci/run` runs all groups but those that are
// `long`: `npm run check:long` runs these. `slow` says of a group that `npm test` runs why `npm run test:quick` does not.

/** What a test imports that tries generated cases, or compares an algorithm with a plain one. */
const PROPERTIES = /from '(fast-check|[^']*\/naive\/[^']*)'/;

export const GROUPS = [
  {
    name: 'specification-a-d',
    paths: ['a', 'b', 'c', 'd'].map((letter) => `specification/${letter}`),
    leftOut: 'the rest of the specification, over HTTP',
  },
  { name: 'faults', paths: ['faults/'], leftOut: 'clusters whose processes and servers are killed; real servers' },
  {
    name: 'browser',
    paths: ['story', 'session', 'catalogue', 'errors', 'weight'].map((part) => `dashboard/${part}.`),
    leftOut: 'the dashboard, in a browser',
  },
  { name: 'pages', paths: ['dashboard/'], leftOut: 'the dashboard, page by page, in a browser', long: true },
  {
    name: 'failovers',
    paths: ['runtime/providers/redis/replicated-log-contract.'],
    leftOut: 'the log’s contract on Redis with replicas',
    long: true,
  },
  {
    name: 'model',
    paths: ['gateways/management/model/'],
    imports: PROPERTIES,
    leftOut: 'random calls of the management API, against a model of it',
  },
  { name: 'management', paths: ['gateways/management/'], leftOut: 'the management API, call by call' },
  { name: 'specification-e-z', paths: ['specification/'], leftOut: 'the rest of the specification, over HTTP' },
  { name: 'programs', paths: ['composition/'], leftOut: 'programs that are started, killed and upgraded' },
  {
    name: 'gateways',
    paths: ['gateways/', 'players/'],
    leftOut: 'webhooks, WebSocket, creative files, bidders, players in a browser',
  },
  { name: 'scheduler', paths: ['scheduler/'], leftOut: 'jobs and duties, by the calendar and by the clock' },
  { name: 'rules', paths: ['', 'faults/suite/suite.'] },
  { name: 'edge', paths: ['gateways/edge/', 'edge/'] },
  {
    name: 'properties',
    paths: ['actors/', 'edge/', 'exchange/', 'gateways/', 'runtime/'],
    imports: PROPERTIES,
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
    paths: ['documentation/tutorials.', 'edge/collected-requests.', 'gateways/edge/collected-requests.'],
    slow: 'tutorials and collected requests, on whole exchanges',
  },
  { name: 'simulations', paths: ['simulation/', 'runtime/simulator/'], leftOut: 'clusters in virtual time, by seed' },
];

/**
 * What `npm run test:<name>` runs: groups of the plan. Every group is in one of them at least, but for those that are `long`.
 * `quick` has what computes in one process without servers, so that it ends within a minute.
 */
export const SELECTIONS = {
  quick: ['rules', 'edge', 'properties', 'runtime'],
  properties: ['model', 'properties', 'simulations'],
  gateways: ['management', 'gateways', 'edge', 'model'],
  system: [
    'specification-a-d',
    'faults',
    'browser',
    'specification-e-z',
    'programs',
    'scheduler',
    'money',
    'providers',
    'exchanges',
  ],
};

/** The group of a test file, by its path below `dist/test/` and its text. */
export function groupOf(file, text) {
  const byImports = GROUPS.filter(({ imports }) => imports?.test(text));
  const others = GROUPS.filter(({ imports }) => imports === undefined);
  return byPath(file, byImports) ?? byPath(file, others);
}

/** The group with the longest path that the file's starts with. */
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
