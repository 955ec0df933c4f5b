import { Alert, Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Snippet } from '../../kit/copy.tsx';
import { Figure, Figures, Section } from '../../kit/figure.tsx';
import { formatCpm, formatMs, words } from '../../kit/format.ts';
import { SourceName } from '../../kit/source-name.tsx';
import { Time } from '../../kit/time.tsx';
import type { Auction } from './auction.ts';
import { Bids } from './view/bids.tsx';
import classes from './view/imp.module.css';
import { Sold } from './view/sold.tsx';
import { Waterfall } from './view/waterfall.tsx';

interface AuctionViewProps {
  readonly auction: Auction;
  /** Whether the reader may look at publishers and demand sources: a source's own people know themselves alone. */
  readonly named?: boolean;
}

/**
 * What an auction was: who was asked and answered when, what was bid against the floor, why each lost, what was sold
 * and billed.
 */
export function AuctionView({ auction, named = true }: AuctionViewProps) {
  const { summary, reason, remedy, detail, imps, asked, publisher_id: publisherId, sees } = auction;
  return (
    <Stack gap="lg">
      <Alert color={auction.outcome === 'filled' ? 'green' : 'yellow'}>
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {summary}
        </Text>
        {reason !== null && <Text size="sm">{words(reason)}.</Text>}
        {detail !== null && <Text size="sm">{detail}</Text>}
        {remedy !== null && <Text size="sm">What would change it: {remedy}</Text>}
        {sees === 'parts' && <Text size="sm">You see your own part of it: the others’ is theirs.</Text>}
      </Alert>
      <Figures cols={5}>
        <Figure
          label="When"
          value={
            <Text fz="sm" fw={600} component="span">
              <Time at={auction.at} />
            </Text>
          }
        />
        <Figure label="Took" value={formatMs(auction.took_ms)} hint="From the request to its answer" />
        <Figure
          label="Publisher"
          value={
            <Text fz="sm" fw={600} component="span">
              {publisherId === null ? '—' : <SourceName of="publisher" id={publisherId} known={named} />}
            </Text>
          }
        />
        <Figure label="Region" value={auction.region.toUpperCase()} below={auction.edge} />
        <Figure
          label="Stands for"
          value={auction.represents}
          hint="How many auctions like it there were for each that was recorded"
        />
      </Figures>
      <Section title="What was asked for">
        <Group gap="xs">
          {imps.map((imp) => (
            <Badge key={imp.id} color="gray" size="lg" h="auto" py={3} className={classes.imp}>
              {imp.id}: {imp.formats.join(', ')} {imp.sizes.join(', ')} · floor {formatCpm(imp.floor_cpm)}
              {imp.floor_from === 'none' ? '' : ` of the ${imp.floor_from}`}
              {imp.stated_floor === null ? '' : ` (${imp.stated_floor.cpm} ${imp.stated_floor.currency})`}
            </Badge>
          ))}
          {Object.entries(asked)
            .filter(([, value]) => value !== null)
            .map(([name, value]) => (
              <Badge key={name} color="blue">
                {words(name)}: {String(value)}
              </Badge>
            ))}
          {auction.privacy.map((rule) => (
            <Badge key={rule} color="orange">
              {words(rule)}
            </Badge>
          ))}
        </Group>
      </Section>
      {auction.demand.length > 0 && (
        <Section
          title="Who was asked, and when each answered"
          description="From the moment that the auction began, in milliseconds."
        >
          <Waterfall auction={auction} named={named} />
          {auction.demand_left_out !== null && auction.demand_left_out > 0 && (
            <Text size="sm" c="dimmed">
              And {auction.demand_left_out} more, which the record has no room for.
            </Text>
          )}
        </Section>
      )}
      <SimpleGrid cols={1} spacing="lg">
        {auction.demand.some(({ bids }) => bids.length > 0) && (
          <Section
            title="Bids"
            description="Against the floor, the highest first. The price is what the bidder offered for a thousand."
          >
            <Bids auction={auction} named={named} />
          </Section>
        )}
        {auction.sold.length > 0 && (
          <Section title="Sold">
            <Sold auction={auction} named={named} />
          </Section>
        )}
      </SimpleGrid>
      {auction.bid_request !== null && (
        <Section title="Bid request" description="As it was recorded, without what identifies the viewer.">
          <Snippet text={JSON.stringify(auction.bid_request, null, 2)} what="the bid request" />
        </Section>
      )}
    </Stack>
  );
}
