import { Alert, Anchor, Button, List, SegmentedControl, Stack, Text } from '@mantine/core';
import { InfoIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Empty } from '../../../../kit/answered.tsx';
import { Figure, Figures, Section } from '../../../../kit/figure.tsx';
import { formatCount, formatCpm, formatRatio } from '../../../../kit/format.ts';
import { Money } from '../../../../kit/money.tsx';
import { Time } from '../../../../kit/time.tsx';
import type { Backtest, Counted } from './backtest.ts';
import { CampaignBars } from './campaign-bars.tsx';
import { CampaignTable } from './campaign-table.tsx';

/** What it comes to: in all, by campaign, and what the figures rest on. */
export function BacktestResult({ of, sourceId }: { readonly of: Backtest; readonly sourceId: string }) {
  const [counted, setCounted] = useState<Counted>('extrapolated');
  const { auctions, campaigns, assumptions } = of;
  const figures = of[counted];

  if (auctions.recorded === 0) {
    return (
      <Section title="What it would have done">
        <Empty
          title="No auctions were recorded in this time"
          action={
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link to="/demand/$id" params={{ id: sourceId }} search={{ tab: 'pools' }} {...props} />
              )}
            >
              See its pools
            </Button>
          }
        >
          Auctions of the pools that it subscribes to are recorded as they are held, a fair sample of them. Choose a
          longer time, or subscribe it to a pool with traffic.
        </Empty>
      </Section>
    );
  }
  return (
    <Stack gap="lg">
      <Section
        title="What it would have done"
        description={
          <>
            <Time at={of.from} /> to <Time at={of.to} />
          </>
        }
        actions={
          <SegmentedControl
            size="xs"
            aria-label="Which auctions are counted"
            data={[
              { value: 'extrapolated', label: 'Estimate for all' },
              { value: 'sample', label: 'Recorded alone' },
            ]}
            value={counted}
            onChange={(value) => setCounted(value as Counted)}
          />
        }
      >
        <Figures cols={5}>
          <Figure
            label="Auctions"
            value={formatCount(counted === 'sample' ? auctions.held_again : auctions.represented)}
            hint="Recorded auctions that were held again, or how many these stand for."
            below={`${formatCount(auctions.recorded)} recorded, a campaign matched in ${formatCount(auctions.matched)}`}
          />
          <Figure label="Bids" value={formatCount(figures.bids)} below={`${formatCount(figures.outbid)} outbid`} />
          <Figure
            label="Wins"
            value={formatCount(figures.won)}
            below={`${formatRatio(figures.win_rate)} of the bids`}
            hint="Bids above every other that was recorded, and not below the floor. Ties are not won."
          />
          <Figure
            label="Spend"
            value={<Money cents={figures.spend_cents} />}
            hint="As if all that was won had been shown."
          />
          <Figure
            label="Average CPM"
            value={formatCpm(figures.avg_cpm)}
            below={`${formatCount(figures.refused)} refused`}
          />
        </Figures>
        {figures.bids === 0 ? (
          <Alert color="gray" icon={<InfoIcon size={16} />}>
            It would have bid on nothing. Simulate a request to see which condition keeps its campaigns back.
          </Alert>
        ) : (
          <CampaignBars campaigns={campaigns} counted={counted} />
        )}
        <Assumptions said={assumptions} auctions={auctions} />
      </Section>
      <Section title="By campaign">
        <CampaignTable campaigns={campaigns} counted={counted} />
      </Section>
    </Stack>
  );
}

function Assumptions({
  said,
  auctions,
}: {
  readonly said: readonly string[];
  readonly auctions: Backtest['auctions'];
}) {
  const left = auctions.recorded - auctions.held_again;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        What the figures rest on
      </Text>
      <List size="sm" spacing={2} c="dimmed">
        {said.map((sentence) => (
          <List.Item key={sentence} style={{ overflowWrap: 'anywhere' }}>
            {sentence}
          </List.Item>
        ))}
        {left > 0 && <List.Item>{formatCount(left)} recorded auctions hold too little to be held again.</List.Item>}
        {auctions.pod_imps > 0 && (
          <List.Item>
            {formatCount(auctions.pod_imps)} imps of pods are left out: there bids are chosen together.
          </List.Item>
        )}
      </List>
      <Text size="sm">
        <Anchor size="sm" renderRoot={(props) => <Link to="/auctions" {...props} />}>
          Look at the recorded auctions
        </Anchor>
      </Text>
    </Stack>
  );
}
