import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Installation } from '../../composition/installation.ts';
import { SandboxTraffic } from '../../composition/sandbox-traffic.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';

function logLevelDataIn({ folder }: Installation) {
  return { LOG_LEVEL_DATA_URL: pathToFileURL(join(folder, 'log-level')).href };
}

/** An exchange with some traffic. With real servers each role is a process of its own; without, one process is all. */
export class WholeExchange {
  readonly #installation: Installation;
  /** The operations port of each process, by its roles. */
  readonly opsPorts: ReadonlyMap<string, number>;

  private constructor(installation: Installation, opsPorts: ReadonlyMap<string, number>) {
    this.#installation = installation;
    this.opsPorts = opsPorts;
  }

  static async start(): Promise<WholeExchange> {
    const { REDIS_URL, MONGODB_URL } = process.env;
    const own = { BOOTSTRAP_API_KEY: 'pk_live_of-prometheus', SECRET_KEY: randomUUID() };
    const opsPorts = new Map<string, number>();
    if (REDIS_URL === undefined || MONGODB_URL === undefined) {
      const installation = await Installation.make(own);
      opsPorts.set('all', Number(installation.environment.OPS_PORT));
      await installation.start(logLevelDataIn(installation));
      return new WholeExchange(installation, opsPorts).#led();
    }
    const name = `prometheus-${randomUUID()}`;
    const database = new URL(MONGODB_URL);
    database.pathname = name;
    const servers = { REDIS_URL, MONGODB_URL: database.href, REDIS_PREFIX: name };
    const installation = await Installation.make({ ...own, ...servers });
    const files = { CREATIVES_DIR: join(installation.folder, 'creatives'), ...logLevelDataIn(installation) };
    for (const roles of ['actors,scheduler', 'management', 'edge']) {
      const port = await freePort();
      opsPorts.set(roles, port);
      const DATA_DIR = join(installation.folder, roles);
      await installation.start({ ...files, DATA_DIR, ROLES: roles, OPS_PORT: String(port) });
    }
    return new WholeExchange(installation, opsPorts).#led();
  }

  /** Resolves when a process runs jobs: elected as soon as it has asked. */
  async #led(): Promise<this> {
    await eventually(
      'a leader that knows its jobs',
      async () =>
        [...(await this.metrics()).values()].some((text) => text.includes('scheduler_job_due_timestamp_seconds{')),
      { timeoutMs: 60_000 },
    );
    return this;
  }

  /** Auctions, an impression, requests that are refused, calls of the API. */
  async trade(): Promise<void> {
    const traffic = new SandboxTraffic(this.#installation);
    for (let auction = 0; auction < 5; auction++) for (const pixel of await traffic.auction()) await fetch(pixel);
    await fetch(`${this.#installation.edgeUrl}/vast?site_id=none`);
    for (const path of ['/api/account', '/api/jobs', '/api/none']) await this.#installation.call('GET', path);
  }

  /** What each process serves to Prometheus, by its roles. */
  async metrics(): Promise<ReadonlyMap<string, string>> {
    const texts = [...this.opsPorts].map(async ([roles, port]): Promise<[string, string]> => {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
      return [roles, await answer.text()];
    });
    return new Map(await Promise.all(texts));
  }

  remove(): Promise<void> {
    return this.#installation.remove();
  }
}
