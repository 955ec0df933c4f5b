import { Text } from '@mantine/core';
import { useDebouncedValue, useInViewport } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { components } from '../../../api/generated.d.ts';
import { useAnswer } from '../../../api/queries.ts';
import { formatCount, formatRatio } from '../../../kit/format.ts';
import { Status } from '../../../kit/status.tsx';
import { Time } from '../../../kit/time.tsx';

type DemandSource = components['schemas']['DemandSource'];
export type Health = components['schemas']['GetDemandSourceHealthResponse'];

const EVERY_MS = 15_000;
const RESTS_MS = 250;

/** The health of one row. The API answers it source by source, so it is asked for only while the row is in view. */
function useHealth({ id, status }: DemandSource, inView: boolean) {
  return useAnswer(
    '/api/demand/sources/{id}/health',
    { params: { path: { id } } },
    { enabled: inView && status !== 'archived', everyMs: EVERY_MS },
  );
}

/** The cell that asks; those beside it show what it was answered. */
export function BreakerCell({ source }: { readonly source: DemandSource }) {
  const { ref, inViewport } = useInViewport();
  // What is only scrolled past is not asked for.
  const [rests] = useDebouncedValue(inViewport, RESTS_MS);
  const { body, error } = useHealth(source, inViewport && rests);
  return (
    <span ref={ref}>
      {source.status === 'archived' ? (
        <None />
      ) : body === undefined ? (
        <Text size="sm" c="dimmed" title={error?.message}>
          {error === null ? '…' : 'not known'}
        </Text>
      ) : source.mode === 'delegate' ? (
        <None what="A delegate has no breaker" />
      ) : (
        <Breaker state={body.circuit_breaker} />
      )}
    </span>
  );
}

export const BREAKER_WORDS = { closed: 'Healthy', open: 'Open: paused', half_open: 'Recovering' } as const;

export function Breaker({ state }: { readonly state: Health['circuit_breaker'] }) {
  return <Status of={state} label={BREAKER_WORDS[state]} />;
}

export function TimeoutsCell({ source }: { readonly source: DemandSource }) {
  if (source.mode === 'delegate') return <None />;
  return (
    <OfHealth source={source}>
      {({ timeout_rate_5m: timeouts, error_rate_5m: errors }) => (
        <span title="Of the calls of the last five minutes">
          {formatRatio(timeouts)}
          {errors > 0 && (
            <Text size="xs" c="dimmed">
              {formatRatio(errors)} errors
            </Text>
          )}
        </span>
      )}
    </OfHealth>
  );
}

export function QpsCell({ source }: { readonly source: DemandSource }) {
  return (
    <OfHealth source={source}>
      {({ qps_current: now, qps_limit: limit }) =>
        source.mode === 'delegate' ? formatCount(now) : `${formatCount(now)} of ${formatCount(limit)}`
      }
    </OfHealth>
  );
}

export function LastBidCell({ source }: { readonly source: DemandSource }) {
  return <OfHealth source={source}>{({ last_bid_at: at }) => <Time at={at} ago none="none yet" />}</OfHealth>;
}

function OfHealth({
  source,
  children,
}: {
  readonly source: DemandSource;
  readonly children: (health: Health) => ReactNode;
}) {
  const { body } = useHealth(source, false);
  return body === undefined ? (
    <None />
  ) : (
    <span className="figure" style={{ whiteSpace: 'nowrap' }}>
      {children(body)}
    </span>
  );
}

function None({ what }: { readonly what?: string }) {
  return (
    <Text span size="sm" c="dimmed" title={what}>
      —
    </Text>
  );
}
