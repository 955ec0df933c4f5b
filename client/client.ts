import type {
  AnswerBody,
  ChangeBody,
  CsvPath,
  FilePath,
  InitArgument,
  InitOf,
  ItemOf,
  ListPath,
  Method,
  PathOf,
  UpdatePath,
} from './api-types.ts';
import { type Answer, Caller, type ClientOptions } from './caller.ts';
import { entriesOf, type PagingOptions, readPages } from './lists/pages.ts';
import { type LiveMetrics, type LiveMetricsOptions, readLiveMetrics } from './live-metrics.ts';
import { type MeasuredRegion, type NearestRegionsOptions, RegionRanking } from './nearest-regions.ts';
import { readAndChange } from './update.ts';

/** Calls an operation. Rejects with an `ExchangeError`. */
type Call<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...init: InitArgument<M, P>
) => Promise<Answer<AnswerBody<M, P>>>;

/**
 * The management API. What fails for a moment is tried again; a change carries an `Idempotency-Key` of its own, so that
 * it is made once however often it is sent.
 */
export interface ExchangeClient {
  readonly get: Call<'get'>;
  readonly post: Call<'post'>;
  readonly put: Call<'put'>;
  readonly patch: Call<'patch'>;
  readonly delete: Call<'delete'>;
  /** The table of an answer that has one, RFC 4180 in UTF-8. */
  csv<P extends CsvPath>(path: P, ...init: InitArgument<'get', P>): Promise<Answer<string>>;
  /** The bytes of a file, as they are stored: whole, or the call fails. */
  file<P extends FilePath>(path: P, ...init: InitArgument<'get', P>): Promise<Answer<ArrayBuffer>>;
  /**
   * The pages of a list, each when it is asked for. A list without a default size comes whole, unless `per_page` is
   * given.
   */
  pages<P extends ListPath>(
    path: P,
    ...init: InitArgument<'get', P, PagingOptions>
  ): AsyncGenerator<Answer<AnswerBody<'get', P>>, void, undefined>;
  /** The entries of a list, over all of its pages. */
  iterate<P extends ListPath>(
    path: P,
    ...init: InitArgument<'get', P, PagingOptions>
  ): AsyncGenerator<ItemOf<P>, void, undefined>;
  /**
   * Reads a resource and changes it by what `change` answers, unless somebody else has changed it in between: then it
   * reads it again, five times at most. `change` may answer undefined: nothing is to change.
   */
  update<P extends UpdatePath>(
    path: P,
    init: InitOf<'get', P>,
    change: (
      current: AnswerBody<'get', P>,
    ) => ChangeBody<'patch', P> | undefined | Promise<ChangeBody<'patch', P> | undefined>,
  ): Promise<Answer<AnswerBody<'patch', P> | AnswerBody<'get', P>>>;
  /**
   * What is sold, every five seconds, from a WebSocket that is opened again when it breaks. It needs a key of the
   * account and the package `ws`; or a page of the exchange's own origin, with the session `'browser'`.
   */
  liveMetrics(options?: LiveMetricsOptions): AsyncGenerator<LiveMetrics, void, undefined>;
  /**
   * The regions with edges by measured round trip, the nearest first and those that did not answer last: send ad
   * requests to the `url` of the first, and to the next one where it does not answer. Kept in memory for an hour.
   */
  nearestRegions(options?: NearestRegionsOptions): Promise<readonly MeasuredRegion[]>;
}

/** A client of the exchange at `baseUrl`; nothing is sent before the first call. */
export function createClient(options: ClientOptions): ExchangeClient {
  const caller = new Caller(options);
  const ranking = new RegionRanking(caller);
  const calling = (method: string) => (path: string, init?: object) => caller.call(method, path, init);
  async function* iterate(path: string, init: object = {}) {
    for await (const page of readPages(caller, path, init)) yield* entriesOf(page);
  }
  const client = {
    get: calling('GET'),
    post: calling('POST'),
    put: calling('PUT'),
    patch: calling('PATCH'),
    delete: calling('DELETE'),
    csv: (path: string, init?: object) => caller.call('GET', path, init, 'text'),
    file: (path: string, init?: object) => caller.call('GET', path, init, 'arrayBuffer'),
    pages: (path: string, init: object = {}) => readPages(caller, path, init),
    iterate,
    update: (path: string, init: object, change: (current: unknown) => unknown) =>
      readAndChange(caller, path, init, change),
    liveMetrics: (given: LiveMetricsOptions = {}) => readLiveMetrics(caller, given),
    nearestRegions: (given: NearestRegionsOptions = {}) => ranking.nearest(given),
  };
  // The types of the description end here: below, a path is a text.
  return client as unknown as ExchangeClient;
}
