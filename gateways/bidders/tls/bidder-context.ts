import { readFileSync } from 'node:fs';
import tls, { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/** What the exchange trusts bidders by beside the well-known authorities, and shows them of itself; all PEM. */
export interface BidderCertificates {
  /** Authorities that may vouch for bidders. */
  readonly authorities: readonly string[];
  /** The exchange's own certificate, with its chain, and key, for bidders that ask for one; null: none. */
  readonly own: { readonly certificate: string; readonly key: string } | null;
}

/**
 * One context for all connections to bidders: what is made of a hundred authorities for each connection would cost more
 * than its handshake.
 * @throws where a certificate or key cannot be read, or they do not belong together
 */
export function bidderContext({ authorities, own }: BidderCertificates): SecureContext {
  return createSecureContext({
    // With `ca` the well-known ones are left out unless they are named.
    ...(authorities.length > 0 && { ca: [...wellKnown(), ...authorities] }),
    ...(own !== null && { cert: own.certificate, key: own.key }),
  });
}

/** What this process trusts by itself, NODE_EXTRA_CA_CERTS included. */
function wellKnown(): readonly string[] {
  // From Node 22.15 on; before that, nothing names the extra ones.
  const all = (tls as { readonly getCACertificates?: () => string[] }).getCACertificates;
  if (all !== undefined) return all();
  const extra = process.env.NODE_EXTRA_CA_CERTS;
  return extra ? [...rootCertificates, ...certificatesIn(readFileSync(extra, 'utf8'))] : rootCertificates;
}

/** The certificates of a PEM text, each by itself. */
export function certificatesIn(text: string): string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? [];
}
