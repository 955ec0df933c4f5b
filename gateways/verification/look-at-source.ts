import type { Outcome } from '../../actors/verification/outcome.ts';
import { filePlace } from '../../exchange/ads-txt/file-place.ts';
import { type Expected, judgeFile } from '../../exchange/ads-txt/judge-file.ts';
import { type AdsTxt, domainsNamed, parseAdsTxt } from '../../exchange/ads-txt/parse-ads-txt.ts';
import type { Fetched } from './fetch-file.ts';

export interface Source {
  readonly type: 'ctv' | 'mobile' | 'web';
  readonly domain: string;
  readonly developerDomain: string | null;
}

export type FetchFile = (host: string, path: string) => Promise<Fetched>;

/** More than anybody shares inventory with. */
const MOST_PARTNERS = 5;

/**
 * Looks whether the source's file names the exchange: the root's or the developer's; a subdomain's own where the root's names it;
 * and one of an inventory partner's that the file names, where it does not name the exchange itself (ads.txt 1.1 §3.5).
 */
export async function lookAtSource(source: Source, expected: Expected, fetchFile: FetchFile): Promise<Outcome> {
  const place = filePlace(source);
  if (place === null) return { kind: 'failed', domain: null, fileUrl: null, reason: 'no_domain' };
  const { path, subdomain } = place;
  let [domain = ''] = place.hosts;
  let fetched = await fetchFile(domain, path);
  for (const host of place.hosts.slice(1)) {
    if (fetched.kind !== 'absent') break;
    domain = host;
    fetched = await fetchFile(host, path);
  }
  if (fetched.kind === 'read' && subdomain !== null) {
    if (domainsNamed(parseAdsTxt(fetched.text), 'subdomain').includes(subdomain)) {
      domain = subdomain;
      fetched = await fetchFile(subdomain, path);
    }
  }
  if (fetched.kind !== 'read') return withoutFile(domain, fetched);

  const file = parseAdsTxt(fetched.text);
  const judged = judge(domain, fetched.url, file, expected);
  if (judged.kind === 'verified') return judged;
  for (const partner of domainsNamed(file, 'inventorypartnerdomain').slice(0, MOST_PARTNERS)) {
    const theirs = await fetchFile(partner, path);
    if (theirs.kind !== 'read') continue;
    const shared = judge(partner, theirs.url, parseAdsTxt(theirs.text), expected);
    if (shared.kind === 'verified') return shared;
  }
  return judged;
}

function withoutFile(domain: string, fetched: Exclude<Fetched, { kind: 'read' }>): Outcome {
  const { url: fileUrl } = fetched;
  if (fetched.kind === 'absent') return { kind: 'failed', domain, fileUrl, reason: fetched.reason };
  return { kind: 'unavailable', domain, fileUrl, error: fetched.error };
}

function judge(domain: string, fileUrl: string, file: AdsTxt, expected: Expected): Outcome {
  const judgement = judgeFile(file, expected);
  if (judgement.kind === 'not-listed') return { kind: 'failed', domain, fileUrl, reason: judgement.reason };
  const { relationship, certificationId } = judgement.seller;
  return {
    kind: 'verified',
    domain,
    fileUrl,
    relationship,
    certificationId,
    ownerDomain: domainsNamed(file, 'ownerdomain')[0] ?? null,
    managerDomains: domainsNamed(file, 'managerdomain').slice(0, 20),
    warnings: [...judgement.warnings],
  };
}
