import type { PublisherView } from '../../../actors/publisher/view.ts';
import type { BidRequest, Imp } from '../../../exchange/openrtb/bid-request.ts';
import type { TagQuery } from './query.ts';

/** What the browser or player itself says, where the query does not. */
export interface TagCaller {
  readonly userAgent: string | undefined;
  readonly address: string | undefined;
  readonly referrer: string | undefined;
}

export type TagPublisher = Pick<PublisherView, 'id' | 'name' | 'domain' | 'type'>;

/**
 * The OpenRTB request that a tag stands for. Consent travels in the parameters `gdpr`, `gdpr_consent`, `us_privacy`,
 * `gpp` and `gpp_sid`; `ip` and `ua` are the viewer's, for servers that call on their behalf.
 */
export function tagRequest(
  id: string,
  publisher: TagPublisher,
  imp: Imp,
  query: TagQuery,
  caller: TagCaller,
): BidRequest {
  const consent = query.text('gdpr_consent');
  const floorCpm = query.cpm('floor');
  const address = query.text('ip') ?? caller.address;
  return defined({
    id,
    imp: [defined({ ...imp, secure: 1, bidfloor: floorCpm, bidfloorcur: floorCpm === undefined ? undefined : 'USD' })],
    ...inventory(publisher, caller.referrer),
    device: defined({
      ua: query.text('ua') ?? caller.userAgent,
      ...(address?.includes(':') ? { ipv6: address } : { ip: address }),
    }),
    user: consent === undefined ? undefined : { consent },
    regs: defined({
      gdpr: query.flag('gdpr'),
      us_privacy: query.text('us_privacy'),
      gpp: query.text('gpp'),
      gpp_sid: query.numbers('gpp_sid'),
    }),
    at: 1,
    cur: ['USD'],
  }) as BidRequest;
}

function inventory(publisher: TagPublisher, referrer: string | undefined): Pick<BidRequest, 'site' | 'app'> {
  const { id, name, domain, type } = publisher;
  const owner = { id, name };
  if (type === 'web') return { site: defined({ id, domain, page: referrer, publisher: owner }) };
  return { app: { id, bundle: domain, publisher: owner } as BidRequest['app'] & object };
}

/** Without the fields that are undefined: an absent field and an undefined one are not the same to a validator. */
function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
