import { SimpleGrid, Text } from '@mantine/core';
import type { components } from '../../api/generated.d.ts';
import { Figure, Section } from '../../kit/figure.tsx';
import { formatCount, formatRatio } from '../../kit/format.ts';
import { Money } from '../../kit/money.tsx';

type Funnel = components['schemas']['OverviewFunnel'];

interface FunnelPanelProps {
  readonly title: string;
  readonly of: Funnel;
  /** Of requests, on the day before: 0.5 for half as many more; null where they cannot be compared. */
  readonly change?: number | null;
}

/** Requests → imps filled → shown → money. */
export function FunnelPanel({ title, of, change = null }: FunnelPanelProps) {
  const share = (part: number, whole: number, of: string) =>
    whole === 0 ? undefined : `${formatRatio(part / whole)} of ${of}`;
  return (
    <Section title={title}>
      <SimpleGrid component="dl" m={0} cols={{ base: 2, sm: 4 }} spacing="lg">
        <Figure
          label="Requests"
          hint="Ad requests that could be read"
          value={formatCount(of.requests)}
          below={<Change change={change} />}
        />
        <Figure
          label="Filled"
          hint="Imps answered with an ad; a request may have several imps"
          value={formatCount(of.filled)}
          below={share(of.filled, of.imps, `${formatCount(of.imps)} imps`)}
        />
        <Figure
          label="Shown"
          hint="Billed impressions; an imp filled by a pod has several"
          value={formatCount(of.rendered)}
          below={share(of.rendered, of.filled, 'those filled')}
        />
        <Figure
          label="Revenue"
          hint="What publishers are paid: gross less the exchange’s fee"
          value={<Money cents={of.revenue_cents} />}
          below={
            <>
              Gross <Money cents={of.gross_cents} />
            </>
          }
        />
      </SimpleGrid>
    </Section>
  );
}

function Change({ change }: { readonly change: number | null }) {
  if (change === null) return null;
  return (
    <Text span inherit c={change < -0.2 ? 'red' : undefined}>
      {change >= 0 ? '+' : '−'}
      {formatRatio(Math.abs(change))} on yesterday
    </Text>
  );
}
