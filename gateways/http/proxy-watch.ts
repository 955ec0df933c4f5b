import type { Logger } from '../../runtime/actor/logger.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { isPublicAddress } from './address-guard.ts';
import { isPublicUrl } from './public-url.ts';

/** A warning is repeated at most once in this time. */
const WARN_EVERY_MS = 3_600_000;
/** This many suspicious calls in one hour cause a warning; health probes of a load balancer stay below it. */
const MIN_SUSPICIOUS_CALLS = 20;

interface ProxyWatchDeps {
  /** The name of the server: `management` or `edge`. */
  readonly server: string;
  readonly publicUrl: string;
  readonly trustProxyHops: number;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
}

interface ForwardedRequest {
  /** The caller's address, as the trusted proxies report it. */
  readonly address: string;
  readonly forwardedFor: string | undefined;
}

/**
 * Detects a wrong TRUST_PROXY_HOPS and warns of each sign at most once an hour: callers with private addresses on a
 * public host name, `X-Forwarded-For` where no proxy is expected, or fewer addresses in it than there are proxies.
 * After a warning its sign is not checked for one hour. Nothing is checked when the host name is local.
 */
export function proxyWatch({
  server,
  publicUrl,
  trustProxyHops,
  clock,
  logger,
}: ProxyWatchDeps): (seen: ForwardedRequest) => void {
  if (!isPublicUrl(publicUrl)) return () => {};
  const warnAfterRepeats = (message: string) => {
    let [count, sinceMs, quietUntilMs] = [0, 0, 0];
    return () => {
      const nowMs = clock.now();
      if (nowMs < quietUntilMs) return;
      if (nowMs - sinceMs >= WARN_EVERY_MS) [count, sinceMs] = [0, nowMs];
      count += 1;
      if (count < MIN_SUSPICIOUS_CALLS) return;
      [count, quietUntilMs] = [0, nowMs + WARN_EVERY_MS];
      logger.warn({ server, trustProxyHops, publicUrl }, message);
    };
  };
  const unexpected = warnAfterRepeats(
    'X-Forwarded-For arrives though TRUST_PROXY_HOPS is 0: if a proxy of ours sends it, say so, else all callers share its address',
  );
  const privateCallers = warnAfterRepeats(
    'callers arrive with private addresses on a public host name: TRUST_PROXY_HOPS is less than the number of proxies in front',
  );
  const tooFew = warnAfterRepeats(
    'X-Forwarded-For has fewer addresses than TRUST_PROXY_HOPS says: callers may choose the address that they are known by',
  );
  return ({ address, forwardedFor }) => {
    if (trustProxyHops === 0) {
      if (forwardedFor !== undefined) unexpected();
    } else if (hopsIn(forwardedFor) < trustProxyHops) tooFew();
    if (!isPublicAddress(address)) privateCallers();
  };
}

function hopsIn(forwardedFor: string | undefined): number {
  if (forwardedFor === undefined) return 0;
  let hops = 1;
  for (let at = forwardedFor.indexOf(','); at !== -1; at = forwardedFor.indexOf(',', at + 1)) hops += 1;
  return hops;
}
