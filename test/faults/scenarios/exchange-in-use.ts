import { join } from 'node:path';
import { Deployment, type DeploymentOptions } from '../exchange/deployment.ts';
import type { Rendered } from '../exchange/renderer.ts';
import type { Outcome, Run } from '../suite/scenario.ts';
import { Traffic } from '../traffic/traffic.ts';
import { compare } from '../verification/compare.ts';

/** What a scenario has seen by itself. */
interface Findings {
  /** In words, what is not as it must be. */
  readonly wrong?: readonly string[];
  /** Impressions, by tracking URL, that it has appended itself. */
  readonly waiting?: ReadonlyMap<string, Rendered>;
  /** Tracking URLs that were acknowledged, of which the loss is certain and named. */
  readonly lost?: ReadonlySet<string>;
}

interface UseOptions extends Omit<DeploymentOptions, 'folder' | 'mongodbUrl'> {
  /** Auctions that are held at once. */
  readonly lanes?: number;
  /** Done before it is used. */
  readonly prepare?: (deployment: Deployment) => Promise<unknown>;
}

/** An exchange in use, from its start to the comparison at the end. */
export class ExchangeInUse {
  readonly deployment: Deployment;
  readonly traffic: Traffic;
  readonly #run: Run;
  #recoveredMs = 0;

  static async start(run: Run, { lanes, prepare, ...options }: UseOptions): Promise<ExchangeInUse> {
    const folder = join(run.folder, 'processes');
    const least = run.small ? { actors: 1, edges: 1 } : {};
    const deployment = await Deployment.start({ ...options, ...least, folder, mongodbUrl: run.mongodbUrl });
    run.atEnd(() => deployment.end());
    run.atEnd(() => deployment.keepOutput(run.folder));
    const used = new ExchangeInUse(deployment, run, lanes);
    await prepare?.(deployment);
    await used.traffic.start();
    run.say('the exchange serves');
    return used;
  }

  private constructor(deployment: Deployment, run: Run, lanes?: number) {
    this.deployment = deployment;
    this.#run = run;
    this.traffic = new Traffic(deployment, lanes);
  }

  /** Resolves when all clients are served again after the fault of that instant, and notes how long that took. */
  async waitUntilRecovered(sinceMs: number): Promise<number> {
    const over = new AbortController();
    const watches = this.deployment.processes.map((one) => one.watch(over.signal));
    const ended = Promise.all(watches).then(() => Number.NaN);
    const tookMs = await Promise.race([this.traffic.waitUntilServed(sinceMs), ended]).finally(() => over.abort());
    this.#recoveredMs = Math.max(this.#recoveredMs, tookMs);
    this.#run.say(
      `everybody is served again after ${(tookMs / 1000).toFixed(1)} s; ${this.traffic.rendered} impressions`,
    );
    return tookMs;
  }

  /** Ends the use, and compares. */
  async finish(
    redisUrl: string,
    { wrong = [], waiting = new Map(), lost = new Set() }: Findings = {},
  ): Promise<Outcome> {
    const { gaps: silences, renderer, sourceChanges: asks } = this.traffic;
    await this.traffic.stop();
    this.#run.say('nobody uses the exchange any more: the books are awaited');
    const comparison = await compare(this.deployment, redisUrl, {
      rendered: new Map([...renderer.rendered, ...waiting].filter(([url]) => !lost.has(url))),
      sourceChanges: asks,
    });
    return {
      ...comparison,
      ...silences,
      wrong: [...comparison.wrong, ...wrong, ...this.deployment.processes.flatMap((one) => one.endedByItself ?? [])],
      recoveredMs: this.#recoveredMs,
    };
  }
}
