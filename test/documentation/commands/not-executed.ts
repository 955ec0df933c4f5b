/** Commands of pages that no test executes as they stand there, with the reason. Each was reviewed. */
export interface NotExecuted {
  /** The page, or the folder of pages if it ends with `/`. */
  readonly page: string;
  /** What each of those commands begins with, or a pattern for that. */
  readonly command: string | RegExp;
  readonly why: string;
}

const TESTS = 'It runs tests, or measures for minutes: CI does so.';

export const NOT_EXECUTED: readonly NotExecuted[] = [
  { page: 'CONTRIBUTING.md', command: /^npm (test|run (test|check|bench|faults|simulate|fuzz))/, why: TESTS },
  {
    page: 'CONTRIBUTING.md',
    command: /^(eval "\$\()?scripts\/servers\.sh/,
    why: 'CI starts and stops its servers by it.',
  },
  { page: 'CONTRIBUTING.md', command: 'npm run format', why: 'It changes the sources.' },
  { page: 'CONTRIBUTING.md', command: 'npm run notices', why: 'It downloads the tools that read licences.' },
  {
    page: 'README.md',
    command: 'npm start',
    why: 'The exchange of the test runs already; `test/composition/` starts it in every way, CI on a fresh clone.',
  },
  {
    page: 'docs/backup.md',
    command: /^(redis-cli|awk|mongodump|cp) /,
    why: 'It copies stopped servers; mongodump is not at hand where the tests run.',
  },
  {
    page: 'docs/leaked-key.md',
    command: 'MONGODB_URL=mongodb://…',
    why: 'It needs a MongoDB of a release before 0.4; test/composition/ runs the command.',
  },
  {
    page: 'docs/leaked-key.md',
    command: 'exchange jobs run reseal-secrets',
    why: 'It needs the password of an operator; test/cli/ runs the command.',
  },
  {
    page: 'docs/operations/deployment.md',
    command: /^(npm run build|(REDIS_URL=\S+ |)[\s\S]*node .*dist\/bundle\/main\.js)/,
    why: 'It builds, or starts what does not end; test/composition/ starts the bundle, test/faults/ on Redis and MongoDB.',
  },
  { page: 'docs/operations/capacity.md', command: 'npm run bench', why: TESTS },
  { page: 'docs/capacity.md', command: 'npm run bench', why: TESTS },
  {
    page: 'docs/subsystems/scheduler.md',
    command: 'gunzip',
    why: 'Books are archived when they are months old.',
  },
  { page: 'test/media/README.md', command: /^(ffmpeg|sound|plain)/, why: 'It needs FFmpeg; what it made is kept.' },
  {
    page: 'test/servers/mongo/README.md',
    command: './',
    why: 'scripts/servers.sh builds and starts it for the tests.',
  },
  { page: 'deploy/', command: /^docker( |-)/, why: 'It needs a Docker daemon.' },
  { page: 'deploy/', command: /^(kubectl|kustomize|helm) /, why: 'It needs a cluster.' },
  {
    page: 'docs/',
    command: /^([A-Z_]+=\S+ )*npm start/,
    why: 'It does not end; `test/composition/` starts the exchange in every way.',
  },
  {
    page: 'docs/log-level-data.md',
    command: /^[A-Z0-9_]+=\S*\s*(#.*)?$/,
    why: 'It is a setting of a process, and starts nothing.',
  },
  {
    page: 'docs/webhooks.md',
    command: /^(npm install standardwebhooks|WEBHOOK_SECRET=)/,
    why: 'It needs the secret of a registration, and does not end; test/documentation/webhooks-example.test.ts starts the receiver.',
  },
  {
    page: 'docs/prebid-server.md',
    command: 'curl -X PUT',
    why: 'Its path is of a source to come; test/integrations/ stores imps by the same call.',
  },
  {
    page: 'docs/log-level-data.md',
    command: /^(curl -s -H "X-API-Key: \$KEY"|exchange log-level )/,
    why: 'Its hours are those of a month gone by; test/gateways/management/log-level-data and test/cli/log-level make the same calls.',
  },
  { page: 'docs/', command: /^docker( |-)/, why: 'It needs a Docker daemon.' },
  { page: 'docs/', command: /^kubectl /, why: 'It needs a cluster.' },
];

/** Pages whose commands a test of their own executes; those that end with `/` are folders. */
export const EXECUTED_ELSEWHERE: readonly { readonly page: string; readonly test: string }[] = [
  { page: 'docs/runbook/', test: 'test/documentation/runbook.test.ts' },
  { page: 'docs/prebid.md', test: 'test/integrations/prebid-js/install.test.ts' },
];

/** Whether a list's `page` means that page, itself or by its folder. */
export function concerns(listed: string, page: string): boolean {
  return listed.endsWith('/') ? page.startsWith(listed) : page === listed;
}

export function whyNotExecuted(page: string, command: string): string | null {
  const found = NOT_EXECUTED.find(
    ({ page: place, command: wanted }) =>
      concerns(place, page) && (typeof wanted === 'string' ? command.startsWith(wanted) : wanted.test(command)),
  );
  return found?.why ?? null;
}
