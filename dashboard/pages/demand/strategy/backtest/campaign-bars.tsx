import { Group, Stack, Text } from '@mantine/core';
import { formatCentsShort, formatCount } from '../../../../kit/format.ts';
import type { Backtest, Counted } from './backtest.ts';
import classes from './campaign-bars.module.css';

interface CampaignBarsProps {
  readonly campaigns: Backtest['campaigns'];
  readonly counted: Counted;
}

/** More bars say less; the table has them all. */
const MOST_BARS = 12;

/** Bids, wins and spend of the campaigns that bid most: wins lie within bids, spend has a scale of its own. */
export function CampaignBars({ campaigns, counted }: CampaignBarsProps) {
  const bidding = campaigns
    .map((one) => ({ id: one.campaign_id, ...one[counted] }))
    .filter(({ bids }) => bids > 0)
    .sort((a, b) => b.spend_cents - a.spend_cents || b.bids - a.bids);
  const shown = bidding.slice(0, MOST_BARS);
  const mostBids = Math.max(1, ...shown.map(({ bids }) => bids));
  const mostSpend = Math.max(1e-9, ...shown.map(({ spend_cents: spend }) => spend));
  const width = (part: number, of: number) => ({ width: `${(part / of) * 100}%` });
  return (
    <figure className={classes.figure} aria-label="Bids, wins and spend by campaign">
      <Group gap="lg" className={classes.legend} aria-hidden="true">
        <span data-of="bids">Bids</span>
        <span data-of="wins">Wins</span>
        <span data-of="spend">Spend</span>
      </Group>
      <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {shown.map(({ id, bids, won, spend_cents: spend }) => (
          <li key={id} className={classes.row}>
            <Text size="sm" truncate title={id}>
              {id}
            </Text>
            <div className={classes.bars} aria-hidden="true">
              <div className={classes.bar} data-of="bids" style={width(bids, mostBids)}>
                <div data-of="wins" style={width(won, bids)} />
              </div>
              <div className={classes.bar} data-of="spend" style={width(spend, mostSpend)} />
            </div>
            <Text size="xs" component="div" className={classes.numbers}>
              <span>
                <b className="figure">{formatCount(won)}</b> of {formatCount(bids)} bids won
              </span>
              <b className="figure">{formatCentsShort(spend)}</b>
            </Text>
          </li>
        ))}
      </Stack>
      {bidding.length > shown.length && (
        <Text size="xs" c="dimmed" mt="xs">
          The {MOST_BARS} that spend most of {bidding.length} that bid; the table below has all.
        </Text>
      )}
    </figure>
  );
}
