import { LRUCache } from 'lru-cache';
import type { PublisherState } from '../../actors/publisher/reduce.ts';
import { type VerificationState, verification } from '../../actors/verification/verification.ts';
import { Semaphore } from '../../async/semaphore.ts';
import { SingleFlight } from '../../async/single-flight.ts';
import type { Expected } from '../../exchange/ads-txt/judge-file.ts';
import { Overloaded } from '../../runtime/actor/errors.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { FileFetcher } from './fetch-file.ts';
import { type FetchFile, lookAtSource } from './look-at-source.ts';
import type { VerificationSettings } from './settings.ts';

/** Of at most two megabytes each. */
const FILES_REMEMBERED = 32;

/**
 * Of looks that somebody has asked for, in one process. Each asks up to some tens of servers, whose owners did not ask for it, and
 * holds megabytes of what they answer.
 */
const LOOKS_AT_ONCE = 16;
const LOOKS_AT_ONCE_PER_ACCOUNT = 4;
const NONE_WAIT = { waiting: 0, refusal: () => new Overloaded('too many sources are being looked at') };

/** Of a look that somebody waits for, with all files that it leads to. */
const WHOLE_LOOK_MS = 25_000;

/** What a look at a source needs of it. */
export type LookedAt = Pick<
  PublisherState,
  'accountId' | 'partnerId' | 'sandbox' | 'name' | 'type' | 'domain' | 'developerDomain' | 'sellerType'
>;

/** What of a source its verification is about: when it becomes another, what was found out is of no use. */
export function aboutOf({
  type,
  domain,
  developerDomain,
}: Pick<LookedAt, 'type' | 'domain' | 'developerDomain'>): string {
  return `${type} ${domain} ${developerDomain ?? ''}`;
}

/** The line that a source's file should have. */
export function expectedLine(
  publisherId: string,
  { sellerType }: Pick<PublisherState, 'sellerType'>,
  { exchangeDomain, certificationId }: Pick<VerificationSettings, 'exchangeDomain' | 'certificationId'>,
): string {
  const relationship = sellerType === 'INTERMEDIARY' ? 'RESELLER' : 'DIRECT';
  return [exchangeDomain, publisherId, relationship, ...(certificationId === null ? [] : [certificationId])].join(', ');
}

/** Looks at sources' files and tells their verification what was found. */
export class Verifier {
  readonly #messenger: Messenger;
  readonly #settings: VerificationSettings;
  readonly #clock: Clock;
  readonly #fetcher: FileFetcher;
  /** Looks that somebody has asked for, by source: who asks for one that is under way shares it. */
  readonly #askedFor = new SingleFlight<VerificationState>();
  readonly #looks = new Semaphore(LOOKS_AT_ONCE, NONE_WAIT);
  readonly #looksOfAccount = new Semaphore(LOOKS_AT_ONCE_PER_ACCOUNT, NONE_WAIT);

  constructor(parts: {
    readonly messenger: Messenger;
    readonly settings: VerificationSettings;
    readonly clock: Clock;
  }) {
    this.#messenger = parts.messenger;
    this.#settings = parts.settings;
    this.#clock = parts.clock;
    this.#fetcher = new FileFetcher(parts.settings, parts.clock);
  }

  /** Remembers the files it has fetched last: many apps have one developer. */
  rememberingFetch(stop: AbortSignal): FetchFile {
    const fetched = new LRUCache<string, ReturnType<FetchFile>>({ max: FILES_REMEMBERED });
    return (host, path) => {
      const known = fetched.get(host + path);
      if (known !== undefined) return known;
      const fetching = this.#fetcher.fetch(host, path, stop);
      fetched.set(host + path, fetching);
      return fetching;
    };
  }

  /** Somebody waits for it. Throws Overloaded while too many looks that were asked for are under way. */
  async verifyNow(publisherId: string, source: LookedAt, requestId: string | undefined): Promise<VerificationState> {
    const look = () =>
      this.verify(publisherId, source, this.rememberingFetch(AbortSignal.timeout(WHOLE_LOOK_MS)), requestId);
    const ofAccount = () => this.#looksOfAccount.run(look, { key: source.accountId });
    return this.#askedFor.run(() => this.#looks.run(ofAccount), `${publisherId} ${aboutOf(source)}`);
  }

  /** Resolves with what is known of the source now. */
  async verify(
    publisherId: string,
    source: LookedAt,
    fetchFile: FetchFile = this.rememberingFetch(AbortSignal.timeout(WHOLE_LOOK_MS)),
    requestId?: string,
  ): Promise<VerificationState> {
    const { exchangeDomain, certificationId } = this.#settings;
    const atMs = this.#clock.now();
    const expected: Expected = {
      exchangeDomain,
      sellerId: publisherId,
      sellerType: source.sellerType,
      certificationId,
      sellerDomain: source.type === 'web' ? source.domain : source.developerDomain,
    };
    const outcome = await lookAtSource(source, expected, fetchFile);
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
        about: aboutOf(source),
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
