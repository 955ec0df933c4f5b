import { Alert, Button, SimpleGrid, Text } from '@mantine/core';
import type { components } from '../../../api/generated.d.ts';
import { useAnswer } from '../../../api/queries.ts';
import { Answered } from '../../../kit/answered.tsx';
import { Figure, Section } from '../../../kit/figure.tsx';
import { formatCount, formatMs, formatRatio } from '../../../kit/format.ts';
import { Money } from '../../../kit/money.tsx';
import { Time } from '../../../kit/time.tsx';
import { Breaker, type Health } from '../list/health-cells.tsx';
import { useResetBreaker } from '../use-reset-breaker.ts';

type DemandSource = components['schemas']['DemandSource'];

const EVERY_MS = 5_000;

/** What the edges see of the source now. */
export function HealthSection({ source }: { readonly source: DemandSource }) {
  const health = useAnswer(
    '/api/demand/sources/{id}/health',
    { params: { path: { id: source.id } } },
    { everyMs: EVERY_MS },
  );
  const reset = useResetBreaker();
  return (
    <Section
      title="Health now"
      actions={
        source.mode === 'rtb' && (
          <Button size="xs" variant="default" onClick={() => reset(source)}>
            Reset breaker
          </Button>
        )
      }
    >
      <Answered of={health} lines={2}>
        {(body) => (
          <>
            {body.circuit_breaker === 'open' && (
              <Alert color="red" title="It is not called for now">
                It timed out or failed too often, so its circuit breaker opened. It is tried again by itself; once it
                answers in time, it is called as before.
              </Alert>
            )}
            {body.connection_problem !== undefined && (
              <Alert color="red" title="It cannot be connected to">
                {PROBLEMS[body.connection_problem]}
              </Alert>
            )}
            <SimpleGrid component="dl" m={0} cols={{ base: 2, sm: 3, lg: 6 }} spacing="lg" verticalSpacing="md">
              {source.mode === 'rtb' && <BidderFigures health={body} />}
              <Figure
                label={source.mode === 'rtb' ? 'Calls a second' : 'Evaluations a second'}
                value={formatCount(body.qps_current)}
                below={source.mode === 'rtb' ? `at most ${formatCount(body.qps_limit)}` : undefined}
              />
              <Figure
                label="Budget left today"
                value={
                  body.daily_budget_remaining_cents === null ? (
                    'Unlimited'
                  ) : (
                    <Money cents={body.daily_budget_remaining_cents} />
                  )
                }
              />
              <Figure
                label="Last bid"
                value={
                  <Text span fz="md" fw={600}>
                    <Time at={body.last_bid_at} ago none="None yet" />
                  </Text>
                }
              />
            </SimpleGrid>
          </>
        )}
      </Answered>
    </Section>
  );
}

const PROBLEMS: Readonly<Record<NonNullable<Health['connection_problem']>, string>> = {
  'certificate-expired': 'The certificate of its endpoint has expired.',
  'certificate-not-yet-valid': 'The certificate of its endpoint is not valid yet.',
  'certificate-of-another-host': 'The certificate of its endpoint is for another host than the one in its URL.',
  'certificate-untrusted': 'The certificate of its endpoint is of no authority that the exchange trusts.',
  'client-certificate-refused': 'Its endpoint refuses the certificate of the exchange, or that it shows none.',
  'tls-failed': 'The TLS handshake with its endpoint fails.',
};

function BidderFigures({ health }: { readonly health: Health }) {
  return (
    <>
      <Figure
        label="Breaker"
        hint="The worst edge's: closed while it answers in time, open while it is not called"
        value={<Breaker state={health.circuit_breaker} />}
      />
      <Figure
        label="Time-outs, 5 min"
        value={formatRatio(health.timeout_rate_5m)}
        below={`${formatRatio(health.error_rate_5m)} other errors`}
      />
      <Figure label="Average latency" value={formatMs(health.avg_latency_ms)} />
    </>
  );
}
