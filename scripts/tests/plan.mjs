// The groups that the tests run in, each a process of its own; those that take longest first. A file belongs to the
// group with the longest of the `paths` that its own, below `dist/test/`, starts with.
//
// `npm test` runs the groups without `leftOut`: in minutes, with nothing but Node, money from the bid to the statement among
// them. `leftOut` says what the others are for those who read the summary. `.ci/run` runs all groups but those that are
// `long`: `npm run check:long` runs these.

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
  { name: 'edge', paths: ['edge/', 'gateways/edge/'] },
  {
    name: 'money',
    paths: [
      'simulation/money/',
      'actors/ledger/',
      'specification/auction.',
      'specification/budget.',
      'specification/delegate-auctions.',
      'specification/money.',
      'specification/pods.',
      'specification/reports-and-billing.',
      'specification/tracking.',
      'golden/',
    ],
  },
  { name: 'runtime', paths: ['runtime/'] },
  { name: 'simulations', paths: ['simulation/', 'runtime/simulator/'], leftOut: 'clusters in virtual time, by seed' },
];

/** The group of a test file, by its path below `dist/test/`. */
export function groupOf(file) {
  let found;
  let length = -1;
  for (const group of GROUPS) {
    for (const path of group.paths) {
      if (file.startsWith(path) && path.length > length) {
        found = group;
        length = path.length;
      }
    }
  }
  return found;
}
