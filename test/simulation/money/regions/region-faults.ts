import { utcDay } from '#actors/ledger/ledger-id';
import { monthOf, reportWindowOfMonth } from '#actors/ledger/report/month';
import { type Position, positionTimeMs } from '#runtime/ports/position';
import type { Cluster } from '#runtime/simulator/cluster';
import type { SeededRandom } from '#runtime/simulator/seeded-random';
import type { CornerCaseCounts } from '../corner-case-counts.ts';
import type { MoneyModel } from '../money-model.ts';
import type { MarketRegion } from './market-region.ts';
import type { RegionOperator } from './region-operator.ts';

type RegionFault = 'link cut' | 'region crash' | 'relay death' | 'region away' | 'home loses a suffix';
/** Mean time between two of a kind, ms. */
const FAULTS: readonly (readonly [RegionFault, number])[] = [
  ['link cut', 5_000],
  ['region crash', 7_000],
  ['relay death', 5_000],
  ['region away', 5_000],
  ['home loses a suffix', 400],
];
const CUT_MS = 2_500;
const AWAY_MS = 1_200;
/** Shares of scenes. */
const CUT_INTO_THE_NIGHT = 0.5;
const CUT_FOR_LONG = [0.2, 0.5, 0.9];
const SOLD_AFTER_MS = [300, 2_000] as const;
/**
 * Lengths of a scene after which a link that was cut for long is mended: mostly when books have been kept without it
 * for a while.
 */
const MENDED_AFTER = [1, 3] as const;
/** Where there are several regions: a cable that all use. */
const ALL_CUT = 0.15;
const WIPED = 0.06;
const WRITTEN_OFF = 0.03;
const AROUND_MS = 2_000;

/** What goes wrong with regions: their links, logs and relays. Each run has some of it. */
export class RegionFaults {
  readonly #cluster: Cluster;
  readonly #model: MoneyModel;
  readonly #regions: readonly MarketRegion[];
  readonly #random: SeededRandom;
  readonly #corners: CornerCaseCounts;
  readonly #operator: RegionOperator;
  readonly #kinds: readonly (readonly [RegionFault, number])[];
  /** Whether logs of regions are lost and living ones given up. */
  readonly #isGrave: boolean;
  readonly #cutForLong: number;
  #active = false;
  /** When the scene began, by home's clock. */
  #sceneAtMs = 0;

  constructor(
    { cluster, model, corners }: { cluster: Cluster; model: MoneyModel; corners: CornerCaseCounts },
    regions: readonly MarketRegion[],
    operator: RegionOperator,
    random: SeededRandom,
  ) {
    this.#cluster = cluster;
    this.#model = model;
    this.#regions = regions;
    this.#random = random;
    this.#corners = corners;
    this.#operator = operator;
    this.#kinds = FAULTS.filter(() => random.chance(0.6)).map(([kind, meanMs]) => [
      kind,
      meanMs * random.between(0.5, 2),
    ]);
    this.#isGrave = random.chance(0.6);
    this.#cutForLong = random.pick(CUT_FOR_LONG);
  }

  begin(): void {
    this.#active = true;
    for (const [kind, meanMs] of this.#kinds) this.#schedule(kind, meanMs);
  }

  end(): void {
    this.#active = false;
    for (const region of this.#regions) region.restore();
  }

  /** What strikes in a scene beside faults by chance. `inMs`: how long until the day ends. */
  disturb(sceneMs: number, inMs: number): void {
    const { time, faults } = this.#cluster.world;
    const random = this.#random;
    const during = (what: string, act: () => void) => time.after(random.between(0, sceneMs), what, act);
    if (this.#regions.length > 1 && random.chance(ALL_CUT)) {
      const lastsMs = random.chance(0.5) ? null : random.between(1_000, 12_000);
      during('all links are cut', () => {
        for (const region of this.#regions) this.#cut(region, lastsMs);
      });
    }
    for (const region of this.#regions) {
      if (inMs < sceneMs && random.chance(CUT_INTO_THE_NIGHT)) {
        const lastsMs = random.between(1_000, 12_000);
        time.after(inMs + random.between(-AROUND_MS, 0.25 * AROUND_MS), 'a link is cut at the turn of a day', () =>
          this.#cut(region, lastsMs),
        );
      } else if (random.chance(this.#cutForLong)) {
        // Edges there have leased by then, and go on selling.
        time.after(random.between(...SOLD_AFTER_MS), 'a link is cut for long', () => this.#cut(region, null));
      }
      if (!this.#isGrave) continue;
      if (random.chance(WIPED)) {
        during('the log of a region is lost', () => {
          if (!this.#active) return;
          faults.count('region wiped');
          this.#corners.count("a region's log is lost");
          if (this.#regions.some((other) => other !== region && other.link.isCut))
            this.#corners.count("a region's log is lost while another is cut off");
          const waiting = region.wipe();
          this.#corners.count('entries that a region loses with its log', waiting);
        });
      }
      if (random.chance(WRITTEN_OFF)) {
        during('a living region is given up', () => {
          const { present } = region.history;
          if (this.#active && present.source !== null && present.writeOff === 'no') {
            void this.#operator.writeOff(present, region.link.isCut ? 'it is cut off' : 'it is to end');
          }
        });
      }
    }
  }

  /**
   * A scene is over: clocks are about to leap to the next, to `toMs` of the log's clock. Links that were cut for long
   * stay so.
   */
  leaps(toMs: number): void {
    const { nowMs } = this.#cluster.log;
    const cut = this.#regions.filter(({ link }) => link.isCut).length;
    if (cut === 0) return;
    if (toMs - nowMs > 3_600_000) {
      this.#corners.count('a link is cut for hours');
      if (cut > 1) this.#corners.count(`links of ${cut} regions are cut for hours at once`);
    }
    if (toMs - nowMs > 8 * 86_400_000) this.#corners.count('a link is cut for more than 8 days');
    if (utcDay(nowMs) !== utcDay(toMs)) this.#corners.count('a link is cut while a day ends');
    if (monthOf(nowMs) !== monthOf(toMs)) this.#corners.count('a link is cut while a month ends');
  }

  /** Links that were cut for long work again some time in the scene, or in one after it. */
  mend(sceneMs: number): void {
    this.#sceneAtMs = this.#cluster.log.nowMs;
    for (const region of this.#regions) {
      if (!region.link.isCut || this.#random.chance(0.3)) continue;
      const afterMs = sceneMs * this.#random.between(...MENDED_AFTER);
      this.#cluster.world.time.after(afterMs, 'a link is mended', () => region.heal());
    }
  }

  #schedule(kind: RegionFault, meanMs: number): void {
    const { time } = this.#cluster.world;
    time.after(this.#random.exponential(meanMs), `regions: ${kind}`, () => {
      if (!this.#active) return;
      this.#strike(kind, this.#random.pick(this.#regions));
      this.#schedule(kind, meanMs);
    });
  }

  #strike(kind: RegionFault, region: MarketRegion): void {
    const { time, faults } = this.#cluster.world;
    const random = this.#random;
    const { members } = region;
    if (kind === 'home loses a suffix') {
      this.#loseSuffix();
      return;
    }
    faults.count(kind);
    if (kind === 'link cut') this.#cut(region, random.exponential(CUT_MS));
    else if (kind === 'region crash') region.log.crash();
    else if (members.length === 0) return;
    else if (kind === 'relay death') {
      const struck = random.pick(members);
      if ([...struck.log.connection.underWay].includes('appendRelayed'))
        this.#corners.count('a relay dies with a batch under way');
      this.#cluster.crash(struck);
    } else {
      const connection = region.connectionOf(random.pick(members))?.connection;
      connection?.interrupt();
      time.after(random.exponential(AWAY_MS), "a region's log is back", () => connection?.restore());
    }
  }

  /** `lastsMs` null: until it is mended in a later scene. */
  #cut(region: MarketRegion, lastsMs: number | null): void {
    if (!this.#active || region.link.isCut) return;
    region.cut();
    this.#corners.count('a link is cut');
    const cut = this.#regions.filter(({ link }) => link.isCut).length;
    if (cut > 1) this.#corners.count(`links of ${cut} regions are cut at once`);
    const { time, faults } = this.#cluster.world;
    faults.count('link cut');
    const { toMs } = reportWindowOfMonth(monthOf(this.#cluster.log.nowMs))!;
    const day = utcDay(this.#cluster.log.nowMs);
    if (lastsMs === null) return;
    time.after(lastsMs, 'a link is mended', () => {
      if (!region.link.isCut) return;
      const { nowMs } = this.#cluster.log;
      if (utcDay(nowMs) !== day) this.#corners.count('a link is cut while a day ends');
      if (nowMs >= toMs) this.#corners.count('a link is cut while a month ends');
      region.heal();
    });
  }

  /**
   * A single server at home loses what nobody has read: entries of regions alone, because others were acknowledged to
   * their producers, who do not send them again. It was acknowledged just now: relays do not keep it for the hours that
   * a leap is.
   */
  #loseSuffix(): void {
    if (this.#cluster.group !== null) return;
    const { log } = this.#cluster;
    const { partition: number } = this.#random.pick(log.partitions);
    const batchOf = (position: Position) =>
      positionTimeMs(position) < this.#sceneAtMs ? undefined : this.#model.batchOf(number, position);
    const { entries } = log.partition(number);
    if (entries.length === 0 || batchOf(entries.at(-1)!.position) === undefined) return;
    const lost = log.loseUnread(number, batchOf);
    if (lost === 0) return;
    this.#cluster.world.faults.count('home loses a suffix');
    this.#corners.count('entries of a region that home loses', lost);
  }
}
