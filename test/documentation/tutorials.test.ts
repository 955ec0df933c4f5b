import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { Installation } from '../composition/installation.ts';
import { freePort } from '../support/free-port.ts';
import { PAGES } from './commands/tutorial-pages.ts';

const CREDENTIALS = {
  BOOTSTRAP_API_KEY: 'pk_live_of-the-tutorials',
  BOOTSTRAP_SANDBOX_API_KEY: 'pk_sandbox_of-the-tutorials',
  ADMIN_PASSWORD: 'password of the tutorials',
};
/** Between what one piece prints and the next. */
const BREAK = '=== the next piece ===';

interface Piece {
  readonly commands: string;
  /** What the page says it prints, `…` standing for anything; null where it does not say. */
  readonly expected: string | null;
}

function piecesOf(page: string): Piece[] {
  const blocks = page.matchAll(/```sh\n([\s\S]*?)```(?:\n\n```text\n([\s\S]*?)```)?/g);
  return [...blocks].map(([, commands, expected]) => ({ commands: commands!, expected: expected ?? null }));
}

function matches(printed: string, expected: string): boolean {
  const parts = expected.trim().split('…');
  let from = 0;
  for (const part of parts) {
    const found = printed.indexOf(part, from);
    if (found < 0 || (from === 0 && found !== 0)) return false;
    from = found + part.length;
  }
  return parts.at(-1) === '' || from === printed.trimEnd().length;
}

describe('the commands of README and the tutorials', () => {
  let installation: Installation;
  let folder: string;
  before(async () => {
    installation = await Installation.make(CREDENTIALS);
    folder = await mkdtemp(join(tmpdir(), 'tutorial-'));
    await installation.start();
  });
  after(async () => {
    await installation.remove();
    await rm(folder, { recursive: true, force: true });
  });

  for (const path of PAGES) {
    it(`of ${path} print what it says, in their order in one shell`, async () => {
      const ours = await translate(installation);
      const pieces = piecesOf(ours(readFileSync(path, 'utf8')));
      expect(pieces).not.to.deep.equal([]);
      const printed = await run(pieces, folder, { EXCHANGE_URL: installation.baseUrl });
      for (const [index, { commands, expected }] of pieces.entries()) {
        if (expected === null) continue;
        const said = `${commands}printed\n${printed[index]}instead of\n${expected}`;
        expect(matches(printed[index]!, expected), said).to.equal(true);
      }
      if (path === 'README.md') expect(printed[1]).to.match(/^\{"id":"first",.*"adm":/);
    });
  }

  it('are all there: nothing else of those pages is meant for a shell', () => {
    for (const path of PAGES) expect(readFileSync(path, 'utf8'), path).not.to.match(/```(?:bash|shell|console)/);
  });
});

/** The page's addresses and credentials as those of this installation, on ports of its own. */
async function translate({ environment }: Installation): Promise<(page: string) => string> {
  const bidder = String(await freePort());
  const ports: readonly [string, string][] = [
    ['8080', environment.PORT!],
    ['8081', environment.EDGE_PORT!],
    ['9090', environment.OPS_PORT!],
    ['9000', bidder],
  ];
  return (page) => {
    let text = page
      .replaceAll('pk_live_…', CREDENTIALS.BOOTSTRAP_API_KEY)
      .replaceAll('pk_sandbox_…', CREDENTIALS.BOOTSTRAP_SANDBOX_API_KEY)
      .replaceAll('PASSWORD=…', `PASSWORD='${CREDENTIALS.ADMIN_PASSWORD}'`)
      .replaceAll('$PWD/bin', resolve('bin'))
      .replaceAll('listen(9000)', `listen(${bidder})`)
      // It runs already.
      .replace(/^npm start .*$/m, ':');
    for (const [stated, port] of ports) text = text.replaceAll(`localhost:${stated}`, `localhost:${port}`);
    return text;
  };
}

/**
 * What each piece printed. A command that fails in a piece is told on standard error, and seen in what it did not
 * print.
 */
async function run(
  pieces: readonly Piece[],
  folder: string,
  more: Readonly<Record<string, string>>,
): Promise<string[]> {
  const script = pieces.map(({ commands }) => commands).join(`\necho '${BREAK}'\n`);
  // In a group of its own, so that a bidder which the page started ends with it.
  const shell = spawn('bash', ['-c', script], {
    cwd: folder,
    env: { ...process.env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const limit = setTimeout(() => process.kill(-shell.pid!, 'SIGKILL'), 100_000);
  let printed = '';
  let complaints = '';
  shell.stdout.on('data', (chunk) => (printed += chunk));
  shell.stderr.on('data', (chunk) => (complaints += chunk));
  const [code] = await once(shell, 'close');
  clearTimeout(limit);
  expect(code, `${printed}${complaints}`).to.equal(0);
  return printed.split(`${BREAK}\n`);
}
