import type { DspProjection } from '#actors/dsp/fields';
import type { SeededRandom } from '#runtime/simulator/seeded-random';
import type { StoreServer } from '#runtime/simulator/store-server';
import type { VirtualTime } from '#runtime/simulator/virtual-time';
import { BUDGETS_CENTS, drawDspFee, drawPublisherFee, type Market, saveSource, type TradingDsp } from './market.ts';

/** Mean time until an edge has heard of a change. */
const HEARD_AFTER_MS = 500;

/** Something that held from an instant of the log's clock on. */
interface Since<T> {
  readonly atMs: number;
  readonly value: T;
}

/** Fees and budgets as they change while a run goes on: what actors would have saved, and what each edge has heard. */
export class FeesAndBudgets {
  readonly #market: Market;
  readonly #store: StoreServer;
  readonly #time: VirtualTime;
  readonly #logNowMs: () => number;
  readonly #random: SeededRandom;
  readonly #fees = new Map<string, Since<number>[]>();
  readonly #budgets = new Map<string, Since<number>[]>();
  /** What an edge has not heard yet. */
  readonly #unheard = new Set<() => void>();
  /** Whether an edge hears of changes. */
  hears: (edge: string) => boolean = () => true;
  /** Whether demand sources without a budget may be given one. */
  firstLimits: () => boolean = () => false;
  readonly #heard = new Map<string, Market>();

  constructor(market: Market, store: StoreServer, time: VirtualTime, logNowMs: () => number, random: SeededRandom) {
    this.#market = market;
    this.#store = store;
    this.#time = time;
    this.#logNowMs = logNowMs;
    this.#random = random;
    for (const [id, publisher] of market.publishers) {
      saveSource(store, 'publisher', id, publisher, logNowMs());
      this.#fees.set(`publisher ${id}`, [{ atMs: 0, value: publisher.feePpm }]);
    }
    for (const [id, dsp] of market.dsps) {
      saveSource(store, 'dsp', id, dsp, logNowMs());
      this.#fees.set(`dsp ${id}`, [{ atMs: 0, value: dsp.feePpm }]);
      this.#budgets.set(id, [{ atMs: 0, value: dsp.dailyBudgetCents }]);
    }
  }

  /** The market as this edge knows it. */
  marketOf(edge: string): Market {
    const known = this.#heard.get(edge) ?? {
      ...this.#market,
      publishers: new Map(this.#market.publishers),
      dsps: new Map(this.#market.dsps),
    };
    this.#heard.set(edge, known);
    return known;
  }

  /** Changes a fee or a budget, and returns which. */
  change(): string {
    const draw = this.#random.next();
    if (draw < 0.2) {
      this.#changePublisher();
      return "a publisher's fee";
    }
    if (draw < 0.5) {
      this.#changeDsp('feePpm', drawDspFee(this.#random));
      return "a demand source's fee";
    }
    return this.#changeDsp('dailyBudgetCents', this.#random.pick(BUDGETS_CENTS)) ? 'a first budget' : 'a budget';
  }

  /** Sets the first budget of some demand source that has none; whether there was one. */
  setFirstBudget(): boolean {
    const without = [...this.#market.dsps.values()].filter(({ dailyBudgetCents }) => dailyBudgetCents === 0);
    if (without.length === 0 || !this.firstLimits()) return false;
    this.#setOf(this.#random.pick(without), 'dailyBudgetCents', this.#random.pick(BUDGETS_CENTS));
    return true;
  }

  /** Before a leap, and when a link is mended: edges hear within seconds, not months. */
  deliverAllChanges(): void {
    for (const hear of this.#unheard) hear();
  }

  /** Whether some edge has not heard yet that a demand source has a budget at all. */
  get hidesFirstLimit(): boolean {
    const isHidden = (known: Market) =>
      [...this.#market.dsps.values()].some(
        ({ id, dailyBudgetCents }) => dailyBudgetCents > 0 && known.dsps.get(id)?.dailyBudgetCents === 0,
      );
    return [...this.#heard.values()].some(isHidden);
  }

  /** Fees that held at some time from the one to the other, by the log's clock. */
  fees(scope: 'publisher' | 'dsp', id: string, fromMs: number, toMs: number): readonly number[] {
    return heldWithin(this.#fees.get(`${scope} ${id}`) ?? [], fromMs, toMs);
  }

  /** Daily budgets in the same way, cents; 0 for none. */
  budgets(dspId: string, fromMs: number, toMs: number): readonly number[] {
    return heldWithin(this.#budgets.get(dspId) ?? [], fromMs, toMs);
  }

  /** Whether it is the first budget of a demand source. */
  #changeDsp(field: 'feePpm' | 'dailyBudgetCents', value: number): boolean {
    const dsps = [...this.#market.dsps.values()];
    // From none to one and back is a change of another kind: what was sold meanwhile was under no lease.
    const isAble = ({ dailyBudgetCents }: TradingDsp) => this.firstLimits() || dailyBudgetCents > 0;
    const able = field === 'feePpm' ? dsps : dsps.filter(isAble);
    if (able.length === 0) return false;
    return this.#setOf(this.#random.pick(able), field, value);
  }

  #setOf(chosen: TradingDsp, field: 'feePpm' | 'dailyBudgetCents', value: number): boolean {
    const isFirst = field === 'dailyBudgetCents' && chosen.dailyBudgetCents === 0;
    const limitedSinceMs = isFirst ? this.#logNowMs() : chosen.limitedSinceMs;
    const changed = { ...chosen, [field]: value, limitedSinceMs, revision: chosen.revision + 1 };
    this.#market.dsps.set(chosen.id, changed);
    const history = field === 'feePpm' ? this.#fees.get(`dsp ${chosen.id}`) : this.#budgets.get(chosen.id);
    history!.push({ atMs: this.#logNowMs(), value });
    saveSource(this.#store, 'dsp', chosen.id, changed, this.#logNowMs());
    this.#tell((market) => {
      const known = market.dsps.get(chosen.id) as DspProjection | undefined;
      if ((known?.revision ?? 0) < changed.revision) market.dsps.set(chosen.id, changed);
    });
    return isFirst;
  }

  #changePublisher(): void {
    const [id, publisher] = this.#random.pick([...this.#market.publishers]);
    const changed = { ...publisher, feePpm: drawPublisherFee(this.#random) };
    this.#market.publishers.set(id, changed);
    this.#fees.get(`publisher ${id}`)!.push({ atMs: this.#logNowMs(), value: changed.feePpm });
    saveSource(this.#store, 'publisher', id, changed, this.#logNowMs());
    this.#tell((market) => market.publishers.set(id, changed));
  }

  #tell(apply: (market: Market) => void): void {
    for (const [edge, market] of this.#heard) {
      const hear = () => {
        if (this.hears(edge) && this.#unheard.delete(hear)) apply(market);
      };
      this.#unheard.add(hear);
      this.#time.after(this.#random.exponential(HEARD_AFTER_MS), 'an edge hears of new terms', hear);
    }
  }
}

function heldWithin<T>(history: readonly Since<T>[], fromMs: number, toMs: number): T[] {
  return history
    .filter(({ atMs }, index) => atMs <= toMs && (history[index + 1]?.atMs ?? Number.POSITIVE_INFINITY) >= fromMs)
    .map(({ value }) => value);
}
