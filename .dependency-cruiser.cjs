/**
 * Arrows go one way: gateways → edge → actors → exchange, and actors → the runtime's public face (runtime/actor).
 * scripts/lint-imports.mjs checks the imports of the sources, those of types too, under the paths of their compiled files.
 */
const from = (path) => ({ path: `^dist/${path}` });

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'async-imports-nothing',
      comment: 'Small concurrency tools, for all but the rules of advertising and actors; of them alone.',
      severity: 'error',
      from: from('async/'),
      to: { pathNot: '^dist/async/' },
    },
    {
      name: 'client-stands-alone',
      comment: 'It is published by itself.',
      severity: 'error',
      from: from('client/'),
      to: { path: '^dist/', pathNot: '^dist/client/' },
    },
    {
      name: 'client-runs-in-browsers',
      severity: 'error',
      from: { path: '^dist/client/', pathNot: '^dist/client/examples/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'dashboard-is-not-compiled',
      comment: 'Its bundler reads it, and its types are made of the compiled program.',
      severity: 'error',
      from: { path: '^dist/', pathNot: '^dist/(dashboard|scripts)/' },
      to: { path: '^dist/dashboard/' },
    },
    {
      name: 'exchange-is-pure',
      comment: 'The rules of advertising know nothing of how they are run.',
      severity: 'error',
      from: from('exchange/'),
      to: { path: '^dist/', pathNot: '^dist/exchange/' },
    },
    {
      name: 'exchange-does-no-io',
      severity: 'error',
      from: from('exchange/'),
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'runtime-knows-nothing-of-advertising',
      severity: 'error',
      from: from('runtime/'),
      to: { path: '^dist/', pathNot: '^dist/(runtime|async)/' },
    },
    {
      name: 'actors-see-the-public-runtime',
      severity: 'error',
      from: from('actors/'),
      to: { path: '^dist/', pathNot: '^dist/(actors|exchange|runtime/actor)/' },
    },
    {
      name: 'actors-do-no-io',
      severity: 'error',
      from: from('actors/'),
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'edge-knows-no-gateway',
      comment: 'What decides about an ad request speaks no protocol: it knows neither HTTP nor who calls it.',
      severity: 'error',
      from: from('edge/'),
      to: {
        path: '^dist/',
        pathNot: '^dist/(edge|actors|exchange|async|runtime/(actor|ports|sync-to-disk|node/(envelope|kind-registry)))',
      },
    },
    {
      name: 'edge-speaks-no-http',
      comment: 'Packages that speak it (koa, undici) are kept from edge/ by biome.json.',
      severity: 'error',
      from: from('edge/'),
      to: { path: '^(node:)?https?$', dependencyTypes: ['core'] },
    },
    {
      name: 'gateways-see-actors-and-ports',
      comment: 'A gateway uses the messenger, the replica and the ports; how nodes work inside is not its business.',
      severity: 'error',
      from: from('gateways/'),
      to: {
        path: '^dist/(runtime/(node|providers|simulator)|scheduler|test|bench)/',
        pathNot: '^dist/runtime/node/(envelope|kind-registry)',
      },
    },
    {
      name: 'scheduler-sends-messages',
      severity: 'error',
      from: from('scheduler/'),
      to: { path: '^dist/', pathNot: '^dist/(scheduler|actors|async|runtime/(actor|ports|sync-to-disk))[./]' },
    },
    {
      name: 'ports-lie-below',
      comment: 'Contracts sit below what uses them.',
      severity: 'error',
      from: from('runtime/(ports|actor)/'),
      to: { path: '^dist/runtime/', pathNot: '^dist/runtime/(ports|actor)/' },
    },
    {
      name: 'providers-know-only-ports',
      comment:
        'And runtime/expiring: what more than one of them keeps in memory, and no I/O; and what makes files durable.',
      severity: 'error',
      from: from('runtime/(providers|expiring)/'),
      to: { path: '^dist/runtime/', pathNot: '^dist/runtime/((ports|providers|expiring)/|sync-to-disk)' },
    },
    {
      name: 'one-provider-knows-no-other',
      severity: 'error',
      from: { path: '^dist/runtime/providers/([^/]+)/' },
      to: { path: '^dist/runtime/providers/', pathNot: '^dist/runtime/providers/($1|system)/' },
    },
    {
      name: 'settings-are-read-at-the-top',
      comment: 'Each part is given those that it needs, in a type of its own.',
      severity: 'error',
      from: { path: '^dist/(actors|async|edge|exchange|gateways|runtime|scheduler)/' },
      to: { path: '^dist/settings[/.]' },
    },
    {
      name: 'nobody-imports-the-command-line',
      comment: 'It stands above all that it works with; nothing that is started needs it.',
      severity: 'error',
      from: { path: '^dist/', pathNot: '^dist/(cli|test)/' },
      to: { path: '^dist/cli/' },
    },
    {
      name: 'nobody-imports-tests',
      severity: 'error',
      from: { path: '^dist/', pathNot: '^dist/(test|bench)/' },
      to: { path: '^dist/(test|bench)/' },
    },
  ],
  options: { doNotFollow: { path: 'node_modules' } },
};
