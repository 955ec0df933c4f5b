import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { routes } from '#gateways/management/routes';
import { Installation } from '../composition/installation.ts';
import { SandboxTraffic } from '../composition/sandbox-traffic.ts';
import { alertRules } from '../integrations/prometheus/rules.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { declaredMetrics } from './metrics-page.ts';

const FOLDER = 'docs/runbook';
const PASSWORD = 'password of the runbook';

/** The commands of a page, block by block. */
function commandsOf(page: string): string[] {
  return [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, commands]) => commands!);
}

/** Runs commands in one shell that ends with the first failure; resolves with its exit code and all that it said. */
function shell(commands: string, folder: string): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    execFile('bash', ['-e', '-o', 'pipefail', '-c', commands], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), said: `${stdout}${stderr}` }),
    );
  });
}

describe('the runbook', () => {
  const pages = new Map<string, string>();
  before(async () => {
    for (const name of await readdir(FOLDER)) pages.set(name, await readFile(join(FOLDER, name), 'utf8'));
  });

  it('has a page for each alert, and a line that leads to it', async () => {
    const rules = await alertRules();
    expect([...pages.keys()]).to.have.members(['README.md', ...rules.map(({ alert }) => `${alert}.md`)]);
    for (const { alert, labels } of rules) {
      const page = pages.get(`${alert}.md`)!;
      const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
      expect(headings).to.deep.equal([alert, 'What it costs', 'How to check', 'What to do']);
      expect(page, alert).to.contain(`\n_${labels.severity}_\n`);
      expect(pages.get('README.md')).to.match(
        new RegExp(`\\| \\[${alert}\\]\\(${alert}\\.md\\) +\\| ${labels.severity} `),
      );
    }
  });

  it('names metrics and endpoints that exist', async () => {
    const metrics = new Set([...(await declaredMetrics()).values()].flat().map(({ name }) => name));
    const paths = new Set(routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{}')}`));
    for (const [name, page] of pages) {
      for (const [metric] of page.matchAll(
        /\b(?:exchange|actor|store|scheduler|webhook|books|budget|billing|nodejs|process)_[a-z0-9_]+/g,
      )) {
        const known = [metric, metric.replace(/_(sum|count|bucket)$/, '')].some((one) => metrics.has(one));
        const begins = [...metrics].some((one) => one.startsWith(`${metric}_`));
        expect(known || begins, `${metric} in ${name}`).to.equal(true);
      }
      for (const [, method, path] of page.matchAll(/\b(?:op )?(GET|POST|PUT|PATCH|DELETE) '?(\/api\/[^\s'?`)]*)/g)) {
        const pattern = path!.replaceAll(/\{\w+\}/g, '{}').replace(/^(\/api\/jobs\/)[a-z-]+/, '$1{}');
        expect(paths, `${path} in ${name}`).to.include(`${method} ${pattern}`);
      }
    }
  });

  describe('beside a running exchange', () => {
    let installation: Installation;
    let folder: string;
    let preamble: string;
    before(async () => {
      installation = await Installation.make({ ADMIN_PASSWORD: PASSWORD, BOOTSTRAP_API_KEY: 'pk_live_of-the-runbook' });
      folder = await mkdtemp(join(tmpdir(), 'runbook-'));
      await installation.start();
      const [pixel] = await new SandboxTraffic(installation).auction();
      expect((await fetch(pixel!)).status).to.equal(200);
      await eventually('the edge to have counted it', async () => {
        const { body } = await callJson('GET', `${installation.opsUrl}/metrics`);
        return body.includes('exchange_impression_calls_total{');
      });
      const [first] = commandsOf(pages.get('README.md')!);
      preamble = first!
        .replace('http://localhost:8080', installation.baseUrl)
        .replace('http://localhost:8081', installation.edgeUrl)
        .replace('http://localhost:9090', installation.opsUrl)
        .replace('PASSWORD=…', `PASSWORD='${PASSWORD}'`);
      const { code, said } = await shell(preamble, folder);
      expect(code, said).to.equal(0);
      // The session is kept in a file: nobody need log in for each page.
      preamble = preamble.replace(/^curl -s -c [\s\S]*?> \/dev\/null$/m, '');
    });
    after(async () => {
      await installation.remove();
      await rm(folder, { recursive: true, force: true });
    });

    it('has commands that work as they stand, and find what they look for', async () => {
      const blocks = [...pages].flatMap(([name, page]) => commandsOf(page).map((commands) => ({ name, commands })));
      const wrong: string[] = [];
      for (const { name, commands } of blocks) {
        if (name === 'README.md') continue;
        const { code, said } = await shell(`${preamble}\n${commands}`, folder);
        if (code !== 0 || /"error":|undefined/.test(said)) wrong.push(`${name}: ${commands}${said}`);
      }
      expect(wrong.join('\n')).to.equal('');
    });
  });
});
