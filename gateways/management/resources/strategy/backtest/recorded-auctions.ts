import { auctionRecord } from '#actors/auction-record/auction-record';
import type { AuctionRecord } from '#actors/auction-record/record';
import { lowestRecordId } from '#actors/auction-record/record-id';
import { indexedSourceId } from '#actors/auction-record/record-index';
import { type AuctionRecordState, parseAuctionRecord } from '#actors/auction-record/state';
import { publisher } from '#actors/publisher/publisher';
import type { PublisherState } from '#actors/publisher/reduce';
import type { ManagementDeps } from '#gateways/management/deps';
import type { Condition } from '#runtime/ports/store';

const PAGE = 200;

export interface AuctionSelection {
  readonly poolIds: readonly string[];
  readonly sandbox: boolean;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The recorded auctions of some pools in a period that were answered. */
export class RecordedAuctions {
  readonly #parts: Pick<ManagementDeps, 'store'>;
  readonly #where: Readonly<Record<string, Condition>>;
  readonly #period: { readonly gte: string; readonly lt: string };

  private constructor(
    deps: Pick<ManagementDeps, 'store'>,
    { fromMs, toMs }: AuctionSelection,
    where: Record<string, Condition>,
  ) {
    this.#parts = deps;
    this.#where = where;
    this.#period = { gte: lowestRecordId(fromMs), lt: lowestRecordId(toMs) };
  }

  static async find(deps: Pick<ManagementDeps, 'store'>, wanted: AuctionSelection): Promise<RecordedAuctions> {
    const { poolIds, sandbox } = wanted;
    const where = { sandbox, poolId: { in: poolIds }, outcome: { in: ['filled', 'unfilled'] } };
    if (!sandbox) return new RecordedAuctions(deps, wanted, where);
    // In the sandbox, flushed auctions are gone.
    const { documents } = await deps.store.query(publisher.kind, { where: { poolId: { in: poolIds } } });
    const keys = documents.map(({ id, state }) =>
      indexedSourceId(id, true, (state as PublisherState).sandboxGeneration),
    );
    return new RecordedAuctions(deps, wanted, { ...where, publisherKey: { in: keys } });
  }

  async count(): Promise<number> {
    const { total } = await this.#parts.store.query(auctionRecord.kind, {
      where: { ...this.#where, key: this.#period },
      limit: 1,
    });
    return total;
  }

  /** Reads the auctions, the oldest first. */
  async *read(): AsyncGenerator<{ readonly id: string; readonly record: AuctionRecord }> {
    let { gte } = this.#period;
    for (;;) {
      const { documents } = await this.#parts.store.query(auctionRecord.kind, {
        where: { ...this.#where, key: { gte, lt: this.#period.lt } },
        orderBy: 'key',
        limit: PAGE,
      });
      for (const { id, state } of documents) yield { id, record: parseAuctionRecord(state as AuctionRecordState) };
      const last = documents.at(-1);
      if (last === undefined || documents.length < PAGE) return;
      gte = `${last.id}~`;
    }
  }
}
