import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Clock } from '../../runtime/ports/clock.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { type Answer, type ProviderPair, startTestExchange, type TestExchange } from '../support/exchange.ts';
import { steadyDeadlines } from '../support/steady-clock.ts';
import { Market, type MarketOptions } from './market.ts';

/** A whole exchange as its users meet it: over HTTP alone. Started once for a suite. */
export class ExchangeUnderTest {
  #running: TestExchange | undefined;
  readonly #markets: Market[] = [];

  get running(): TestExchange {
    if (!this.#running) throw new Error('the exchange is not started yet');
    return this.#running;
  }

  async start(
    test: Mocha.Context,
    pair: ProviderPair,
    environment: Record<string, string>,
    edgeClock: Clock = systemClock,
  ): Promise<void> {
    this.#running = await startTestExchange(test, pair, environment, edgeClock);
  }

  async stop(): Promise<void> {
    for (const market of this.#markets) await market.close();
    await this.#running?.stop();
  }

  /** A call of the management API with the live key. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.running.call(method, path, body, headers);
  }

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.call('GET', path, undefined, headers);
  }

  /** Makes a resource; its name is unlike any other when none is given. Resolves with what was answered. */
  async create(path: string, fields: object, headers?: Record<string, string>): Promise<Answer['body']> {
    const answer = await this.call('POST', path, { name: `Name ${randomUUID()}`, ...fields }, headers);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body;
  }

  /** A publisher in a pool, and bidders that subscribe to it; open when the edge auctions with all of them. */
  async market(terms: MarketOptions): Promise<Market> {
    const market = new Market(this);
    this.#markets.push(market);
    await market.open(terms);
    return market;
  }
}

/**
 * Declares a suite against an exchange of its own, on each of the pairs. `steady`: its deadlines pass only while this
 * process runs, for suites in which a bidder of the process must be in time for the one request that is made. Others
 * measure time.
 */
export function againstExchange(
  title: string,
  declare: (exchange: ExchangeUnderTest) => void,
  {
    pairs = ['embedded'],
    environment = {},
    steady = false,
  }: {
    readonly pairs?: readonly ProviderPair[];
    readonly environment?: Record<string, string>;
    readonly steady?: boolean;
  } = {},
): void {
  for (const pair of pairs) {
    describe(`specification: ${title}, on ${pair}`, () => {
      const exchange = new ExchangeUnderTest();
      before(async function () {
        await exchange.start(this, pair, environment, steady ? steadyDeadlines : systemClock);
      });
      after(() => exchange.stop());
      declare(exchange);
    });
  }
}

/** `404 NOT_FOUND`, `400 INVALID_PARAMS name`. */
export function errorOf({ status, body }: Answer): string {
  return [status, body?.error?.code, body?.error?.field].filter((part) => part !== undefined).join(' ');
}

/** Of an error that names no `field`: what its message begins with. `502 BAD_GATEWAY creative.vast_url`. */
export function errorAbout({ status, body }: Answer): string {
  expect(body.error).not.to.have.property('field');
  return [status, body.error.code, body.error.message.split(' ', 1)[0]].join(' ');
}

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** RFC 3339 in UTC, as ISO 8601 has it. */
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
export const ABSENT_ID = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
