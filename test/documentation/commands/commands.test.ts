import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { type Fixture, makeFixture } from './fixture.ts';
import { concerns, EXECUTED_ELSEWHERE, NOT_EXECUTED, whyNotExecuted } from './not-executed.ts';
import { commandsOf, pagesOfRepository, type ShellBlock, shellBlocks } from './shell-blocks.ts';
import { translate } from './translate.ts';
import { PAGES as TUTORIALS } from './tutorial-pages.ts';

interface Execution {
  /** 0, unless each command of the page shows how something fails. */
  readonly exit?: number;
  /** What each command prints, among others. */
  readonly says?: RegExp;
  /** Whether the page's variables are of live resources, and not of the sandbox. */
  readonly live?: boolean;
}

/** The pages whose blocks run one by one here. */
const EXECUTED: Readonly<Record<string, Execution>> = {
  'docs/backup.md': {},
  'docs/explorer.md': {},
  'docs/laws.md': { exit: 1, says: /: [1-9]\d* failed[;,]/ },
  'docs/prebid-server.md': {},
  'docs/subsystems/creatives.md': { live: true },
  'docs/subsystems/event-feed.md': { live: true },
  'docs/tags.md': {},
  'docs/traces.md': {},
  'docs/webhooks.md': {},
};

const LANGUAGE = /^ *```(\S*)\n([\s\S]*?)^ *```$/gm;
/** How a command begins that a reader would type. */
const COMMAND = /^\s*(\$ |(sudo |[A-Z_]+=\S+ )*(curl|npm|npx|node|git|redis-cli|gunzip|mongodump)\s)/;

const isExecuted = (block: ShellBlock) =>
  commandsOf(block).some((command) => whyNotExecuted(block.page, command) === null);

describe('the commands of the documentation', () => {
  const blocks = pagesOfRepository().flatMap((page) => shellBlocks(page));
  let fixture: Fixture;
  before(async () => {
    fixture = await makeFixture();
  });
  after(() => fixture?.remove());

  for (const [page, { exit = 0, says = /^/, live = false }] of Object.entries(EXECUTED)) {
    it(`of ${page} end as they say`, async () => {
      const executed = shellBlocks(page).filter(isExecuted);
      expect(executed).not.to.deep.equal([]);
      for (const block of executed) {
        // A command that changes something is not sent twice: a block runs as a whole, and ends with its first failure.
        const pieces = exit === 0 ? [block.text] : commandsOf(block);
        for (const piece of pieces) {
          const { code, said } = await run(translate(piece, fixture.folder), fixture, live);
          expect(code, `${page}\n${piece}\n${said}`).to.equal(exit);
          expect(said, piece).to.match(says);
        }
      }
    });
  }

  it('are each executed by a test, or listed with the reason why not', () => {
    const ways = { executed: 0, listed: 0 };
    const neither: string[] = [];
    for (const block of blocks) {
      for (const command of commandsOf(block)) {
        if (whyNotExecuted(block.page, command) !== null) ways.listed++;
        else if (block.page in EXECUTED || TUTORIALS.includes(block.page)) ways.executed++;
        else if (EXECUTED_ELSEWHERE.some(({ page }) => concerns(page, block.page))) ways.executed++;
        else neither.push(`${block.page}: ${command}`);
      }
    }
    expect(neither).to.deep.equal([]);
    expect(ways.executed).to.be.greaterThan(100);
    expect(ways.executed).to.be.greaterThan(ways.listed);
  });

  it('are listed as not executed only where there is such a command', () => {
    const all = blocks.flatMap((block) => commandsOf(block).map((command) => ({ page: block.page, command })));
    const idle = NOT_EXECUTED.filter(
      ({ page, command }) =>
        // A reason may wait for pages that come.
        existsSync(page) &&
        !page.endsWith('/') &&
        !all.some(
          (one) =>
            one.page === page &&
            (typeof command === 'string' ? one.command.startsWith(command) : command.test(one.command)),
        ),
    );
    expect(idle).to.deep.equal([]);
  });

  it('are executed elsewhere by tests that are there', () => {
    const used = EXECUTED_ELSEWHERE.filter(({ page }) => blocks.some((block) => concerns(page, block.page)));
    expect(used.filter(({ test }) => !existsSync(test))).to.deep.equal([]);
  });

  it('stand in blocks that say so', () => {
    const hidden = pagesOfRepository().flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(LANGUAGE)]
        .filter(([, language, text]) => /^(|bash|console|shell|text)$/.test(language!) && COMMAND.test(text!))
        .map(([, , text]) => `${page}: ${text}`),
    );
    expect(hidden).to.deep.equal([]);
  });

  it('name scripts of package.json that are there', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const named = blocks.flatMap(({ page, text }) =>
      [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name]) => ({ page, name: name! })),
    );
    expect(named.length).to.be.greaterThan(15);
    expect(named.filter(({ name }) => scripts[name] === undefined)).to.deep.equal([]);
  });

  it('are read by the shell, those too that are not executed', async () => {
    for (const { page, text } of blocks) {
      const { code, said } = await runShell(['-n', '-c', text], {});
      expect(code, `${page}\n${text}\n${said}`).to.equal(0);
    }
  });
});

/** An HTTP error is a failure; the first failure ends the piece. */
const STRICT = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n';

function run(
  text: string,
  { installation, sandbox, live }: Fixture,
  isLive: boolean,
): Promise<{ code: number; said: string }> {
  let script = text;
  for (const [stated, port] of [
    ['8080', installation.environment.PORT!],
    ['8081', installation.environment.EDGE_PORT!],
  ] as const) {
    script = script.replaceAll(`localhost:${stated}`, `localhost:${port}`);
  }
  return runShell(['-c', `${STRICT}${script}`], { ...installation.environment, ...(isLive ? live : sandbox) });
}

async function runShell(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ code: number; said: string }> {
  const shell = spawn('bash', args, { env: { PATH: `${resolve('bin')}:${process.env.PATH}`, ...environment } });
  let said = '';
  shell.stdout.on('data', (chunk) => (said += chunk));
  shell.stderr.on('data', (chunk) => (said += chunk));
  const [code] = await once(shell, 'close');
  return { code, said };
}
