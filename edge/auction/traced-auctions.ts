import type { Tracer } from '../../runtime/ports/tracer.ts';
import type { AdRequest } from '../auction-context.ts';
import type { AuctionEndpoint } from './auction-endpoint.ts';
import type { Auctioneer } from './auctioneer.ts';

/** Holds auctions, the sampled ones with a trace. */
export class TracedAuctions implements Pick<Auctioneer, 'answer'> {
  readonly #auctions: Pick<Auctioneer, 'answer'>;
  readonly #tracer: Tracer;

  constructor(auctions: Pick<Auctioneer, 'answer'>, tracer: Tracer) {
    this.#auctions = auctions;
    this.#tracer = tracer;
  }

  async answer<Asked extends AdRequest, Answer>(
    adRequest: Asked,
    endpoint: AuctionEndpoint<Asked, Answer>,
  ): Promise<Answer> {
    const trace = this.#tracer.request('ad request', adRequest.traceparent);
    if (trace === null) return this.#auctions.answer(adRequest, endpoint);
    trace.set('exchange.auction_id', adRequest.request.id);
    let failure: string | undefined;
    try {
      return await this.#auctions.answer({ ...adRequest, trace }, endpoint);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      throw error;
    } finally {
      trace.end(failure);
    }
  }
}
