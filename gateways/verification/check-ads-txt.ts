import type { VerificationOutcome } from '../../actors/verification/outcome.ts';
import { adsTxtLocation } from '../../exchange/ads-txt/ads-txt-location.ts';
import { checkSeller, type ExpectedSeller } from '../../exchange/ads-txt/check-seller.ts';
import { type AdsTxt, domainsOfVariable, parseAdsTxt } from '../../exchange/ads-txt/parse-ads-txt.ts';
import type { FetchResult } from './ads-txt-fetcher.ts';

export interface AdsTxtSource {
  readonly type: 'ctv' | 'mobile' | 'web';
  readonly domain: string;
  readonly developerDomain: string | null;
}

export type FetchAdsTxt = (host: string, path: string) => Promise<FetchResult>;

/** Inventory partners that are checked at most; real sources have fewer. */
const MAX_PARTNERS = 5;

/**
 * Checks whether the (app-)ads.txt of a source lists the exchange. The file is that of the root domain or the
 * developer; or of a subdomain, when the root's file names it; or of an inventory partner that the file names, when the
 * file does not list the exchange itself (ads.txt 1.1 §3.5). A partner's file that cannot be had finds out nothing,
 * unless another one lists the exchange. The outcome's domain is the source's own, whose file names the partner.
 */
export async function checkAdsTxt(
  source: AdsTxtSource,
  expected: ExpectedSeller,
  fetchFile: FetchAdsTxt,
): Promise<VerificationOutcome> {
  const location = adsTxtLocation(source);
  if (location === null) return { kind: 'failed', domain: null, fileUrl: null, reason: 'no_domain' };
  const { path, subdomain } = location;
  let [domain = ''] = location.hosts;
  let fetched = await fetchFile(domain, path);
  for (const host of location.hosts.slice(1)) {
    if (fetched.kind !== 'absent') break;
    domain = host;
    fetched = await fetchFile(host, path);
  }
  if (fetched.kind === 'read' && subdomain !== null) {
    if (domainsOfVariable(parseAdsTxt(fetched.text), 'subdomain').includes(subdomain)) {
      domain = subdomain;
      fetched = await fetchFile(subdomain, path);
    }
  }
  if (fetched.kind !== 'read') return withoutFile(domain, fetched);

  const file = parseAdsTxt(fetched.text);
  const outcome = outcomeOf(domain, fetched.url, file, expected);
  if (outcome.kind === 'verified') return outcome;
  let unavailable: VerificationOutcome | null = null;
  for (const partner of domainsOfVariable(file, 'inventorypartnerdomain').slice(0, MAX_PARTNERS)) {
    const partnerFile = await fetchFile(partner, path);
    if (partnerFile.kind === 'unavailable') {
      const error = `inventory partner ${partner}: ${partnerFile.error}`.slice(0, 300);
      unavailable ??= { kind: 'unavailable', domain, fileUrl: partnerFile.url, error };
    }
    if (partnerFile.kind !== 'read') continue;
    const partnerOutcome = outcomeOf(domain, partnerFile.url, parseAdsTxt(partnerFile.text), expected);
    if (partnerOutcome.kind === 'verified') return partnerOutcome;
  }
  return unavailable ?? outcome;
}

function withoutFile(domain: string, fetched: Exclude<FetchResult, { kind: 'read' }>): VerificationOutcome {
  const { url: fileUrl } = fetched;
  if (fetched.kind === 'absent') return { kind: 'failed', domain, fileUrl, reason: fetched.reason };
  return { kind: 'unavailable', domain, fileUrl, error: fetched.error };
}

function outcomeOf(domain: string, fileUrl: string, file: AdsTxt, expected: ExpectedSeller): VerificationOutcome {
  const judgement = checkSeller(file, expected);
  if (judgement.kind === 'not-listed') return { kind: 'failed', domain, fileUrl, reason: judgement.reason };
  const { relationship, certificationId } = judgement.seller;
  return {
    kind: 'verified',
    domain,
    fileUrl,
    relationship,
    certificationId,
    ownerDomain: domainsOfVariable(file, 'ownerdomain')[0] ?? null,
    managerDomains: domainsOfVariable(file, 'managerdomain').slice(0, 20),
    warnings: [...judgement.warnings],
  };
}
