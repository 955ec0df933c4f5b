import { LRUCache } from 'lru-cache';
import type { PublisherState } from '../../actors/publisher/reduce.ts';
import { type VerificationState, verification } from '../../actors/verification/verification.ts';
import { Semaphore } from '../../async/semaphore.ts';
import { SingleFlight } from '../../async/single-flight.ts';
import type { ExpectedSeller } from '../../exchange/ads-txt/check-seller.ts';
import { Overloaded } from '../../runtime/actor/errors.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { AdsTxtFetcher } from './ads-txt-fetcher.ts';
import { checkAdsTxt, type FetchAdsTxt } from './check-ads-txt.ts';
import type { VerificationSettings } from './settings.ts';

/** Cached files of one run, of at most 2 MiB each. */
const MAX_CACHED_FILES = 32;

/**
 * Checks on request in one process at most. Each asks up to some tens of servers, whose owners did not ask for it, and
 * holds megabytes of their responses.
 */
const MAX_CHECKS = 16;
const MAX_CHECKS_PER_ACCOUNT = 4;
const NO_QUEUE = { waiting: 0, refusal: () => new Overloaded('too many sources are being looked at') };

/** Time limit of one check on request, with all files that it fetches. */
const CHECK_TIMEOUT_MS = 25_000;

/** The fields of a source that its verification needs. */
export type VerifiableSource = Pick<
  PublisherState,
  'accountId' | 'partnerId' | 'sandbox' | 'name' | 'type' | 'domain' | 'developerDomain' | 'sellerType'
>;

/** The subject of a verification: when it changes, the earlier result is void. */
export function verificationSubject({
  type,
  domain,
  developerDomain,
}: Pick<VerifiableSource, 'type' | 'domain' | 'developerDomain'>): string {
  return `${type} ${domain} ${developerDomain ?? ''}`;
}

/** The line that the file of a source should contain. */
export function expectedLine(
  publisherId: string,
  { sellerType }: Pick<PublisherState, 'sellerType'>,
  { exchangeDomain, certificationId }: Pick<VerificationSettings, 'exchangeDomain' | 'certificationId'>,
): string {
  const relationship = sellerType === 'INTERMEDIARY' ? 'RESELLER' : 'DIRECT';
  return [exchangeDomain, publisherId, relationship, ...(certificationId === null ? [] : [certificationId])].join(', ');
}

/** Checks the (app-)ads.txt files of sources and reports the outcome to their verification actors. */
export class Verifier {
  readonly #messenger: Messenger;
  readonly #settings: VerificationSettings;
  readonly #clock: Clock;
  readonly #fetcher: AdsTxtFetcher;
  /** Checks on request, by source: concurrent requests for the same source share one check. */
  readonly #onRequest = new SingleFlight<VerificationState>();
  readonly #checks = new Semaphore(MAX_CHECKS, NO_QUEUE);
  readonly #checksByAccount = new Semaphore(MAX_CHECKS_PER_ACCOUNT, NO_QUEUE);

  constructor(deps: {
    readonly messenger: Messenger;
    readonly settings: VerificationSettings;
    readonly clock: Clock;
  }) {
    this.#messenger = deps.messenger;
    this.#settings = deps.settings;
    this.#clock = deps.clock;
    this.#fetcher = new AdsTxtFetcher(deps.settings, deps.clock);
  }

  /** Creates a fetch function that caches its last files: many apps have the same developer. */
  rememberingFetch(stop: AbortSignal): FetchAdsTxt {
    const fetched = new LRUCache<string, ReturnType<FetchAdsTxt>>({ max: MAX_CACHED_FILES });
    return (host, path) => {
      const known = fetched.get(host + path);
      if (known !== undefined) return known;
      const fetching = this.#fetcher.fetch(host, path, stop);
      fetched.set(host + path, fetching);
      return fetching;
    };
  }

  /** Checks a source on request. Throws Overloaded while too many checks on request are in flight. */
  async verifyNow(
    publisherId: string,
    source: VerifiableSource,
    requestId: string | undefined,
  ): Promise<VerificationState> {
    const check = () =>
      this.verify(publisherId, source, this.rememberingFetch(AbortSignal.timeout(CHECK_TIMEOUT_MS)), requestId);
    const checkForAccount = () => this.#checksByAccount.run(check, { key: source.accountId });
    return this.#onRequest.run(
      () => this.#checks.run(checkForAccount),
      `${publisherId} ${verificationSubject(source)}`,
    );
  }

  /** Checks a source, and resolves with the new state of its verification. */
  async verify(
    publisherId: string,
    source: VerifiableSource,
    fetchFile: FetchAdsTxt = this.rememberingFetch(AbortSignal.timeout(CHECK_TIMEOUT_MS)),
    requestId?: string,
  ): Promise<VerificationState> {
    const { exchangeDomain, certificationId } = this.#settings;
    const atMs = this.#clock.now();
    const expected: ExpectedSeller = {
      exchangeDomain,
      sellerId: publisherId,
      sellerType: source.sellerType,
      certificationId,
      sellerDomain: source.type === 'web' ? source.domain : source.developerDomain,
    };
    const outcome = await checkAdsTxt(source, expected, fetchFile);
    const { accountId, partnerId, sandbox, name } = source;
    return this.#messenger.ask(
      verification,
      publisherId,
      'checked',
      {
        accountId,
        partnerId,
        sandbox,
        publisherName: name,
        about: verificationSubject(source),
        expectedLine: expectedLine(publisherId, source, this.#settings),
        atMs,
        outcome,
      },
      requestId === undefined ? {} : { requestId },
    );
  }

  close(): Promise<void> {
    return this.#fetcher.close();
  }
}
