import { utcDay } from '#actors/ledger/ledger-id';
import type { Cluster } from '#runtime/simulator/cluster';
import type { SeededRandom } from '#runtime/simulator/seeded-random';
import type { CornerCaseCounts } from './corner-case-counts.ts';
import type { MoneyEdge, Sale } from './money-edge.ts';
import type { MoneyModel } from './money-model.ts';

const LANES = 3;
const THINK_MS = 40;
const PATIENCE_MS = 3_000;
/** Shares of what is sold. */
const NEVER_SHOWN = 0.15;
const SHOWN_LATER = 0.15;
const SHOWN_AGAIN = 0.2;
/** Share of failed appends that the edge answers from its spool; the others are called again elsewhere. */
const SPOOLED = 0.4;
/** A region that is cut off, and whose log was lost, takes nothing until home knows the new one: its spools wait. */
const REPLAY_ATTEMPTS = 10;
const TWO_IMPS = 0.3;
/** Share of what is sold whose URL a bot calls too: before a viewer does, at the same time, after, or alone. */
const CALLED_BY_BOTS = 0.25;
const REASONS = ['bot-user-agent', 'data-centre', 'self-fired'] as const;

/** Share of calls that go to the region that sold, where there are several; the others go to any edge. */
const CALLED_WHERE_SOLD = 0.6;

/** A call that waits on the disk of an edge: of a viewer, or invalid for a reason. */
interface Call {
  readonly sale: Sale;
  readonly invalid: string | null;
  readonly region: string;
}

/**
 * Publishers' servers and the devices behind them: outside the cluster, they outlive every process. They hold auctions
 * and call each tracking URL, at any edge, until one answers; some they call again, some late, some never.
 */
export class Viewers {
  /** Sold, to be rendered in a later scene. */
  readonly #later: Sale[] = [];
  /** Answered 200 and on some edge's disk: replayed when it can be. */
  #spool: Call[] = [];
  readonly #cluster: Cluster;
  readonly #model: MoneyModel;
  readonly #random: SeededRandom;
  readonly #edges: () => readonly MoneyEdge[];
  readonly #failed: (error: unknown) => void;
  readonly #corners: CornerCaseCounts;
  readonly #regions: number;
  #playing = 0;
  #active = false;
  /** By demand source and day of sale, nano-dollars. */
  readonly soldNanos = new Map<string, bigint>();
  /** Called with each sale. */
  onSold: (sale: Sale) => void = () => {};
  sold = 0;
  refused = 0;
  late = 0;
  expired = 0;

  constructor(
    { cluster, model, corners }: { cluster: Cluster; model: MoneyModel; corners: CornerCaseCounts },
    regions: number,
    random: SeededRandom,
    edges: () => readonly MoneyEdge[],
    failed: (error: unknown) => void,
  ) {
    this.#cluster = cluster;
    this.#regions = regions;
    this.#model = model;
    this.#random = random;
    this.#edges = edges;
    this.#failed = failed;
    this.#corners = corners;
  }

  /** Calls under way. */
  get callsUnderWay(): number {
    return this.#playing;
  }

  begin(): void {
    this.#active = true;
    for (let lane = 0; lane < LANES; lane += 1) this.#play(this.#lane());
    const due = this.#later.splice(0);
    this.late += due.length;
    for (const sale of due) this.#play(this.#view(sale, this.#random.between(0, 2_000)));
    this.replay();
  }

  /** No new auctions, and nothing is rendered that was not about to be. */
  end(): void {
    this.#active = false;
  }

  /** What was spooled is sent to the log. */
  replay(): void {
    const spooled = this.#spool;
    this.#spool = [];
    for (const { sale, invalid, region } of spooled) this.#play(this.#call(sale, region, invalid));
  }

  get spooled(): number {
    return this.#spool.length;
  }

  #play(course: Promise<void>): void {
    this.#playing += 1;
    void course.catch(this.#failed).finally(() => {
      this.#playing -= 1;
    });
  }

  async #lane(): Promise<void> {
    const { time } = this.#cluster.world;
    while (this.#active) {
      await time.sleep(this.#random.exponential(THINK_MS), 'a page is read');
      const edge = this.#anyEdge();
      if (!this.#active || edge === null) continue;
      const imps = this.#random.chance(TWO_IMPS) ? 2 : 1;
      // An edge that does not answer has sold nothing that could be rendered.
      const sales = await time.atMost(edge.auction(imps), PATIENCE_MS, 'a page waits no longer');
      if (sales === null) continue;
      this.sold += sales.length;
      this.refused += imps - sales.length;
      if (sales.length > 1) this.#corners.count('two imps won in one auction');
      const day = utcDay(this.#cluster.log.nowMs);
      for (const sale of sales) {
        if (utcDay(sale.soldAtMs) !== day) this.#corners.count("sold on a day that is not the log's");
        const holder = `${sale.dsp} ${utcDay(sale.soldAtMs)}`;
        this.soldNanos.set(holder, (this.soldNanos.get(holder) ?? 0n) + BigInt(sale.priceCpmMicros));
        this.onSold(sale);
        this.#show(sale);
      }
    }
  }

  #show(sale: Sale): void {
    if (this.#random.chance(CALLED_BY_BOTS)) this.#play(this.#callAsBot(sale));
    const draw = this.#random.next();
    if (draw < NEVER_SHOWN) return;
    if (draw < NEVER_SHOWN + SHOWN_LATER) this.#later.push(sale);
    else this.#play(this.#view(sale, this.#random.exponential(500)));
  }

  async #view(sale: Sale, afterMs: number): Promise<void> {
    const { time } = this.#cluster.world;
    await time.sleep(afterMs, 'an ad comes into view');
    const again = this.#random.chance(SHOWN_AGAIN);
    if (again && this.#random.chance(0.5)) this.#play(this.#call(sale));
    await this.#call(sale);
    if (again) this.#play(this.#call(sale));
  }

  /** Once or twice, for one reason or two. */
  async #callAsBot(sale: Sale): Promise<void> {
    const again = this.#random.chance(SHOWN_AGAIN);
    await this.#cluster.world.time.sleep(this.#random.exponential(300), 'a bot calls');
    await this.#call(sale, null, this.#random.pick(REASONS));
    if (again) await this.#call(sale, null, this.#random.pick(REASONS));
  }

  /**
   * Until some edge has answered. `spooledIn`: the call was answered, and waits on the disk of an edge of this region.
   */
  async #call(sale: Sale, spooledIn: string | null = null, invalid: string | null = null): Promise<void> {
    const { time } = this.#cluster.world;
    const spooled = spooledIn !== null;
    for (let attempts = 1; ; attempts += 1) {
      const edge = spooled ? this.#edgeOf(spooledIn) : this.#edgeFor(sale);
      if (spooled && edge === null && this.#severalRegions) {
        this.#spool.push({ sale, invalid, region: spooledIn });
        return;
      }
      const attempt =
        edge?.render(sale, spooled, invalid).catch(() => 'unknown' as const) ?? Promise.resolve('none' as const);
      const outcome = (await time.atMost(attempt, PATIENCE_MS, 'a device calls again')) ?? 'none';
      if (outcome === 'appended' || outcome === 'repeated') {
        if (invalid === null) this.#model.answered.add(sale.id);
        if (spooled && invalid !== null) this.#corners.count(`an invalid call is replayed from a spool: ${outcome}`);
        return;
      }
      if (outcome === 'expired') {
        this.expired += 1;
        return;
      }
      const goesBack = spooled && this.#severalRegions && attempts >= REPLAY_ATTEMPTS;
      if (outcome === 'unknown' && (spooled ? goesBack : this.#random.chance(SPOOLED))) {
        this.#spool.push({ sale, invalid, region: edge!.region });
        return;
      }
      await time.sleep(this.#random.exponential(200), 'a device waits');
    }
  }

  get #severalRegions(): boolean {
    return this.#regions > 1;
  }

  #edgeFor(sale: Sale): MoneyEdge | null {
    if (!this.#severalRegions || !this.#random.chance(CALLED_WHERE_SOLD)) return this.#anyEdge();
    return this.#edgeOf(sale.region!) ?? this.#anyEdge();
  }

  /** An edge of a region; without regions any. */
  #edgeOf(region: string): MoneyEdge | null {
    return this.#anyEdge((edge) => !this.#severalRegions || edge.region === region);
  }

  #anyEdge(isMeant: (edge: MoneyEdge) => boolean = () => true): MoneyEdge | null {
    const edges = this.#edges().filter(isMeant);
    return edges.length === 0 ? null : this.#random.pick(edges);
  }
}
