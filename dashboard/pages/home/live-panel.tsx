import { Group, Text } from '@mantine/core';
import { useAnswer } from '../../api/queries.ts';
import { useDataContext } from '../../app/data-context.ts';
import { Figure, Figures } from '../../kit/figure.tsx';
import { formatCentsShort, formatCount, formatMs, formatRatio } from '../../kit/format.ts';
import { Status } from '../../kit/status.tsx';
import { Time } from '../../kit/time.tsx';
import { useLive } from './use-live.ts';

const EVERY_MS = 15_000;

interface LivePanelProps {
  /** Ad requests refused today; undefined while nobody knows. */
  readonly refused: number | undefined;
}

/** What happens now: by WebSocket, every five seconds; latency of the last hour is asked for. */
export function LivePanel({ refused }: LivePanelProps) {
  const { sandbox, partner } = useDataContext();
  const { figures, state } = useLive(sandbox, partner === undefined);
  const query = { params: { query: { period: '1h' as const } } };
  const hour = useAnswer('/api/metrics', query, { everyMs: EVERY_MS, keep: true });
  const metrics = hour.body !== undefined && 'p95_ms' in hour.body ? hour.body : undefined;

  return (
    <div>
      <Group gap="xs" mb="xs" role="status" aria-label="State of the live figures">
        {partner !== undefined ? (
          <Text size="sm" c="dimmed">
            The live figures are those of the whole account: choose all partners to see them.
          </Text>
        ) : (
          <>
            <Status
              of={state === 'live' ? 'active' : state === 'stale' ? 'failed' : 'pending'}
              label={state === 'live' ? 'Live' : state === 'stale' ? 'Stale' : 'Connecting'}
            />
            <Text size="sm" c="dimmed">
              {state === 'live' && figures !== null && (
                <>
                  As of <Time at={figures.timestamp} />
                </>
              )}
              {state === 'stale' && figures !== null && (
                <>
                  Nothing has come since <Time at={figures.timestamp} />; connecting again
                </>
              )}
              {state === 'stale' && figures === null && 'The connection was lost; connecting again'}
            </Text>
          </>
        )}
      </Group>
      <Figures cols={5}>
        <Figure
          label="Auctions a second"
          hint="Over the last minute"
          value={
            figures === null ? '—' : figures.rps < 10 ? figures.rps.toFixed(2) : formatCount(Math.round(figures.rps))
          }
        />
        <Figure
          label="Fill rate"
          hint="Imps with an ad, of those auctioned in the last minute"
          value={figures === null ? '—' : formatRatio(figures.fill_rate_1m)}
        />
        <Figure
          label="Revenue a minute"
          hint="Payout of the last minute, in whole cents"
          value={figures === null ? '—' : formatCentsShort(figures.revenue_cents_1m)}
        />
        <Figure
          label="Latency p95"
          hint="Of the last hour, from the ad request to its answer"
          value={metrics === undefined ? '—' : formatMs(metrics.p95_ms)}
          below={metrics === undefined ? undefined : `p50 ${formatMs(metrics.p50_ms)}`}
        />
        <Figure
          label="Requests refused"
          hint="Answered 403 since midnight UTC"
          value={refused === undefined ? '—' : formatCount(refused)}
        />
      </Figures>
    </div>
  );
}
