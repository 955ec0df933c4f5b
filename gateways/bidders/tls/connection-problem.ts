import type { ConnectionProblem } from '#actors/bidder-health/messages';

/**
 * What certificates are refused for, by the code that node:tls gives; any other code of theirs is
 * `certificate-untrusted`.
 */
const BY_CODE: Readonly<Record<string, ConnectionProblem>> = {
  CERT_HAS_EXPIRED: 'certificate-expired',
  CERT_NOT_YET_VALID: 'certificate-not-yet-valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate-of-another-host',
};

/** Codes of OpenSSL's verification, as node:tls names them, that say that no trusted authority vouches. */
const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)_\w+|CERT_\w+|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/;

/** The alerts by which a bidder refuses our certificate, or that we have none. */
const REFUSED_OURS =
  /^ERR_SSL_(?:TLSV\d+|SSLV3)_ALERT_(?:CERTIFICATE_\w+|BAD_CERTIFICATE|UNKNOWN_CA|UNSUPPORTED_CERTIFICATE|ACCESS_DENIED)$/;

/**
 * Why there is no connection over TLS, by the error of node:tls; null for an error of another kind, such as a refused
 * connection.
 */
export function connectionProblem(error: Error): ConnectionProblem | null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return null;
  const named = BY_CODE[code];
  if (named !== undefined) return named;
  if (UNTRUSTED.test(code)) return 'certificate-untrusted';
  if (REFUSED_OURS.test(code)) return 'client-certificate-refused';
  return code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') ? 'tls-failed' : null;
}
