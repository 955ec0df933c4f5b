import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { RULES_FILE } from './rules.ts';

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const server of running) server.kill('SIGKILL');
});

interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

interface Rule {
  readonly name: string;
  readonly health: string;
  readonly lastError?: string;
}

/** A Prometheus of one test, on a free port, which scrapes an exchange each second and evaluates the alert rules. */
export class PrometheusServer {
  readonly #url: string;
  readonly #folder: string;
  readonly #server: ChildProcess;
  readonly #targets: readonly string[];

  private constructor(url: string, folder: string, server: ChildProcess, targets: readonly string[]) {
    this.#url = url;
    this.#folder = folder;
    this.#server = server;
    this.#targets = targets;
  }

  /** `targets`: as `127.0.0.1:9090`. Resolves when all were scraped twice, and the rules were evaluated. */
  static async start(targets: readonly string[]): Promise<PrometheusServer> {
    const folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
    const port = await freePort();
    const config = join(folder, 'prometheus.yml');
    await writeFile(
      config,
      stringify({
        global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
        rule_files: [resolve(RULES_FILE)],
        scrape_configs: [{ job_name: 'exchange', static_configs: [{ targets }] }],
      }),
    );
    const options = [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ];
    const child = spawn('prometheus', options, { stdio: ['ignore', 'inherit', 'inherit'] });
    running.add(child);
    const server = new PrometheusServer(`http://127.0.0.1:${port}`, folder, child, targets);
    await eventually('Prometheus to have scraped and evaluated', () => server.#isWarm(), { timeoutMs: 60_000 });
    return server;
  }

  /** The samples of an instant query. @throws Error with Prometheus' words for what cannot be evaluated */
  async query(expr: string): Promise<Sample[]> {
    const body = new URLSearchParams({ query: expr });
    const answer = await fetch(`${this.#url}/api/v1/query`, { method: 'POST', body });
    const { error, data } = (await answer.json()) as { error?: string; data: { result: Sample[] } };
    if (error !== undefined) throw new Error(`${error} in ${expr}`);
    return data.result;
  }

  /** The alert rules as Prometheus has them: their health is `ok` once they were evaluated. */
  async rules(): Promise<Rule[]> {
    const { groups } = await this.#get<{ groups: { rules: Rule[] }[] }>('rules');
    return groups.flatMap(({ rules }) => rules);
  }

  /** What its last scrapes of the targets failed with. */
  async failedScrapes(): Promise<string[]> {
    const { activeTargets } = await this.#get<{ activeTargets: { lastError: string }[] }>('targets');
    return activeTargets.flatMap(({ lastError }) => (lastError === '' ? [] : [lastError]));
  }

  async remove(): Promise<void> {
    this.#server.kill('SIGKILL');
    if (this.#server.exitCode === null) await once(this.#server, 'exit');
    running.delete(this.#server);
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #get<T>(what: string): Promise<T> {
    const answer = await fetch(`${this.#url}/api/v1/${what}`);
    return ((await answer.json()) as { data: T }).data;
  }

  async #isWarm(): Promise<boolean> {
    try {
      const scraped = await this.query('count_over_time(up{job="exchange"}[1m]) >= 2 and up == 1');
      const rules = await this.rules();
      return scraped.length === this.#targets.length && rules.every(({ health }) => health !== 'unknown');
    } catch {
      return false;
    }
  }
}
