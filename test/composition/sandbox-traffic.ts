import { expect } from 'chai';
import { inTime } from '#async/in-time';
import { systemClock } from '#runtime/providers/system/system-clock';
import { firstSandbox, syntheticDspId } from '../../gateways/management/bootstrap/account-sandbox.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import type { Installation } from './installation.ts';

/** Books are five calls, of the thousand that an account has in a minute. */
export const BOOKS = { timeoutMs: 60_000, everyMs: 200 };

/** How long a caller waits for an answer: one whose connection was on its way to a process that was killed gets none. */
const CALLER_WAITS_MS = 20_000;

const SYNTHETIC_DSPS = [0, 1, 2, 3].map((index) => syntheticDspId(index));

/** What one impression costs, in cents: `price` is the clearing price in micro-dollars CPM. */
function costCents(pixelUrl: string): number {
  return Number(new URL(pixelUrl).searchParams.get('price')) / 10_000_000;
}

/**
 * Ad requests to the sandbox's publisher, and calls of the pixels of what they sold, many at a time and without end.
 */
export class SandboxTraffic {
  /** Auctions that were answered. */
  auctions = 0;
  /** Pixel URLs that were called; true once the call was answered 200. */
  readonly pixels = new Map<string, boolean>();
  /** Calls that were not answered. */
  unanswered = 0;
  readonly #installation: Installation;
  #going = false;
  #workers: Promise<void>[] = [];

  constructor(installation: Installation) {
    this.#installation = installation;
  }

  get confirmed(): number {
    return [...this.pixels.values()].filter(Boolean).length;
  }

  start(workers: number): void {
    this.#going = true;
    this.#workers = Array.from({ length: workers }, () => this.#work());
  }

  /** Resolves when no call is under way any more. */
  async end(): Promise<void> {
    this.#going = false;
    await Promise.all(this.#workers);
  }

  /** Holds an auction; resolves with the pixel URLs of what was sold in it. */
  async auction(): Promise<string[]> {
    const request = {
      id: `request-${this.auctions}`,
      imp: [{ id: '1', banner: { w: 300, h: 250 } }],
      site: { id: firstSandbox.publisherId, domain: 'sandbox.example' },
    };
    const answer = await callJson('POST', `${this.#installation.edgeUrl}/rtb`, request);
    expect(answer.status, JSON.stringify(answer.body)).to.be.oneOf([200, 204]);
    this.auctions++;
    return answer.status === 200 ? [answer.body.seatbid[0].bid[0].burl] : [];
  }

  /** Calls a pixel; what was answered is 200, or it throws. */
  async confirm(url: string): Promise<void> {
    if (!this.pixels.get(url)) this.pixels.set(url, false);
    const response = await fetch(url);
    await response.arrayBuffer();
    expect(response.status).to.equal(200);
    this.pixels.set(url, true);
  }

  /** Waits until the books of both sides show exactly the confirmed impressions, and nothing is left to be handled. */
  async expectBooks(): Promise<void> {
    expect(this.confirmed, 'confirmed of all that were called').to.equal(this.pixels.size);
    const cents = [...this.pixels.keys()].reduce((sum, url) => sum + costCents(url), 0);
    const balanced = async () => {
      const { supply, demand } = await this.books();
      expect(supply.impressions, "the publisher's impressions").to.equal(this.confirmed);
      expect(demand.impressions, "the DSPs' impressions").to.equal(this.confirmed);
      expect(supply.cents, "the publisher's revenue").to.be.closeTo(cents, 1e-6);
      expect(demand.cents, "the DSPs' spend").to.be.closeTo(cents, 1e-6);
      return true;
    };
    await eventually(`the books to show ${this.confirmed} impressions`, balanced, BOOKS);
    await eventually('nothing to be left in the log', () => this.#logEmpty(), { timeoutMs: 60_000, everyMs: 100 });
    await balanced();
  }

  /** The publisher's books, and those of the DSPs together. */
  async books() {
    const stats = async (path: string) => (await this.#installation.call('GET', path, undefined, 'sandbox')).body;
    const publisher = await stats(`/api/supply/sources/${firstSandbox.publisherId}/stats`);
    const dsps = await Promise.all(SYNTHETIC_DSPS.map((id) => stats(`/api/demand/sources/${id}/stats`)));
    const total = (field: string): number => dsps.reduce((sum, figures) => sum + figures[field], 0);
    return {
      supply: { ...publisher, cents: publisher.revenue_cents },
      demand: { impressions: total('impressions'), cents: total('spend_cents') },
    };
  }

  async #sell(): Promise<true> {
    for (const url of await this.auction()) await this.confirm(url);
    return true;
  }

  async #work(): Promise<void> {
    while (this.#going) {
      try {
        if (!(await inTime(systemClock, CALLER_WAITS_MS, this.#sell(), false))) this.unanswered++;
      } catch (error) {
        // fetch rejects with a TypeError when there is no answer; anything else is a wrong one.
        if (!(error instanceof TypeError)) throw error;
        this.unanswered++;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  }

  /** By every partition's own account. */
  async #logEmpty(): Promise<boolean> {
    const metrics = await (await fetch(`${this.#installation.opsUrl}/metrics`)).text();
    const lengths = [...metrics.matchAll(/^actor_partition_length\{.*\} (\d+)$/gm)].map(([, length]) => Number(length));
    return (
      lengths.length === Number(this.#installation.environment.PARTITIONS) && lengths.every((length) => length === 0)
    );
  }
}
