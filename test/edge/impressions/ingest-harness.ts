import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Koa from 'koa';
import { Compile } from 'typebox/compile';
import { Impression, InvalidImpression } from '#actors/impression-rollup/messages';
import type { RenderedSale } from '#edge/budgets/shares/publisher-shares';
import { Facts } from '#edge/facts/facts';
import { ImpressionIngest, type InvalidTrafficCheck } from '#edge/impressions/impression-ingest';
import { ImpressionSpool } from '#edge/impressions/spool';
import type { CampaignImpression } from '#edge/tracking/campaign-viewing';
import { TrackingMint } from '#edge/tracking/mint';
import type { Sale } from '#edge/tracking/sale';
import { TrackingVerifier } from '#edge/tracking/verify';
import { answerErrors } from '#gateways/edge/http/errors-answered';
import { impressionHandler, servePixelOutsideKoa } from '#gateways/edge/tracking/impression-handler';
import type { Messenger } from '#runtime/actor/messenger';
import { decodeEnvelope } from '#runtime/node/envelope';
import { SILENT } from '#runtime/node/logger';
import type { Clock } from '#runtime/ports/clock';
import type { MessageLog } from '#runtime/ports/log';
import { START } from '#runtime/ports/position';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { MemoryReplica } from '../../support/memory-replica.ts';
import { aSale, SECRET_KEY } from '../tracking/a-sale.ts';
import { InterruptedLog } from './interrupted-log.ts';

const impressionValidator = Compile(Impression);
const invalidValidator = Compile(InvalidImpression);

/** `GET /track/impression` on a loopback port, over a log that can be interrupted. */
export class IngestHarness {
  readonly log: InterruptedLog;
  /** Of billing notices, and of wins that had not been reported. */
  readonly billed: string[] = [];
  readonly won: string[] = [];
  readonly viewed: { readonly viewing: CampaignImpression; readonly shownAtMs: number }[] = [];
  readonly rendered: RenderedSale[] = [];
  /** The messages of errors that were logged. */
  readonly errors: string[] = [];
  readonly fees = new Map<string, number | null>();
  /** Of all sources. */
  generations = { publisher: 0, dsp: 0 };
  readonly mint = new TrackingMint({ secretKey: SECRET_KEY, publicEdgeUrl: '' });
  ingest!: ImpressionIngest;
  /** Of each true call; by default all are valid. */
  verdict: InvalidTrafficCheck = () => null;
  readonly #trustProxyHops: number;
  readonly #counts: Record<string, number> = {};
  readonly #facts: Facts;
  readonly #log: MessageLog;
  readonly #clock: Clock;
  readonly #spoolFolder: string;
  #server!: Server;

  private constructor(log: MessageLog, spoolFolder: string, trustProxyHops: number, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
    this.#trustProxyHops = trustProxyHops;
    this.#spoolFolder = spoolFolder;
    this.log = new InterruptedLog(log);
    const messenger = { tell: async (...[, id, , body]) => this.#told(id, body) } as Partial<Messenger> as Messenger;
    this.#facts = new Facts({ messenger, replica: new MemoryReplica(), clock: systemClock, region: 'fra' });
  }

  /** `clock` decides when a log that did not answer is tried again. */
  static async start(log: MessageLog, trustProxyHops = 0, clock: Clock = systemClock): Promise<IngestHarness> {
    const spoolFolder = join(await mkdtemp(join(tmpdir(), 'ingest-')), 'spool');
    const harness = new IngestHarness(log, spoolFolder, trustProxyHops, clock);
    await harness.startEdge();
    return harness;
  }

  get spoolFolder(): string {
    return this.#spoolFolder;
  }

  async startEdge(): Promise<void> {
    this.ingest = new ImpressionIngest({
      log: this.log,
      verifier: new TrackingVerifier({ secretKey: SECRET_KEY }),
      spool: new ImpressionSpool({ folder: this.#spoolFolder }),
      facts: this.#facts,
      clock: this.#clock,
      logger: { ...SILENT, error: (_, message) => this.errors.push(message) },
      publisherPolicy: (publisherId) => {
        const feePpm = this.fees.has(publisherId) ? this.fees.get(publisherId)! : 150_000;
        return feePpm === null ? null : { accountId: 'account-1', feePpm };
      },
      sandboxGenerations: () => this.generations,
      verdict: (verified, caller) => this.verdict(verified, caller),
      billed: (url) => this.billed.push(url),
      wins: { tell: (_, url) => this.won.push(url) },
      rendered: (sale) => this.rendered.push(sale),
      viewed: (viewing, shownAtMs) => this.viewed.push({ viewing, shownAtMs }),
    });
    await this.ingest.start();
    const app = new Koa();
    app.use(answerErrors(systemRandom, SILENT));
    app.use(impressionHandler(this.ingest, this.#trustProxyHops));
    this.#server = createServer(servePixelOutsideKoa(this.ingest, systemRandom, this.#trustProxyHops, app.callback()));
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  /** Makes the spool refuse what comes from now on: a file is where its folder was. */
  async breakSpool(): Promise<void> {
    await rm(this.#spoolFolder, { recursive: true, force: true });
    await writeFile(this.#spoolFolder, '');
  }

  async stopEdge(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.ingest.close();
  }

  async close(): Promise<void> {
    await this.stopEdge();
    await rm(join(this.#spoolFolder, '..'), { recursive: true, force: true });
  }

  /** The path and query of a pixel that was just sold, or as `fields` say. */
  pixel(fields: Partial<Sale> = {}): string {
    return this.mint.mintTracking(aSale(fields)).url;
  }

  call(path: string, method = 'GET', headers: Record<string, string> = {}): Promise<Response> {
    const { port } = this.#server.address() as AddressInfo;
    return fetch(`http://127.0.0.1:${port}${path}`, { method, headers });
  }

  /** Every impression in the log, each checked to be one that rollups take. */
  async logged(): Promise<Impression[]> {
    const impressions: Impression[] = [];
    const all = new Map(Array.from({ length: this.#log.partitions }, (_, partition) => [partition, START]));
    for (const [partition, entries] of await this.#log.read(all, 10_000, 0)) {
      for (const { payload } of entries) {
        const { to, type, body } = decodeEnvelope(payload);
        if (to !== `tally/${partition}` || type !== 'impression' || !impressionValidator.Check(body)) {
          throw new Error(`not an impression for tally/${partition}: ${payload}`);
        }
        impressions.push(body);
      }
    }
    return impressions;
  }

  /** The messages of rollups, by partition and in order: `<type> <reason, or for what it was invalid before>`. */
  async told(): Promise<string[]> {
    const all = new Map(Array.from({ length: this.#log.partitions }, (_, partition) => [partition, START]));
    const read = [...(await this.#log.read(all, 10_000, 0)).values()].flat();
    return read.map(({ payload }) => {
      const { type, body } = decodeEnvelope(payload);
      const { reason, revalidates } = body as { reason?: string; revalidates?: string };
      const checked = type === 'invalid' ? invalidValidator : impressionValidator;
      if (!checked.Check(body)) throw new Error(`no tally takes ${payload}`);
      return [type, reason ?? revalidates].filter((part) => part !== undefined).join(' ');
    });
  }

  /** Calls of the pixel so far, by outcome. */
  async outcomes(): Promise<Readonly<Record<string, number>>> {
    await this.#facts.flush();
    return this.#counts;
  }

  #told(ledgerId: string, body: unknown): void {
    // Those of publishers are in the platform's counts too.
    if (!ledgerId.startsWith('platform:')) return;
    for (const [name, times] of Object.entries((body as { counts: Record<string, number> }).counts)) {
      const outcome = name.replace('impressionCalls/', '');
      this.#counts[outcome] = (this.#counts[outcome] ?? 0) + times;
    }
  }
}
