import { Anchor, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatCpm, words } from '../../../kit/format.ts';
import { SourceName } from '../../../kit/source-name.tsx';
import { Status } from '../../../kit/status.tsx';
import type { Auction } from '../auction.ts';

/** Losses that a decision about the creative, or a mode, causes. */
const BY_REVIEW: ReadonlySet<string> = new Set(['creative-blocked', 'creative-not-approved']);

interface CreativeLinkProps {
  readonly dsp: string;
  readonly crid: string;
  /** The `crid` itself without one. */
  readonly label?: string;
}

/** To the page of a bid's creative. */
function CreativeLink({ dsp, crid, label }: CreativeLinkProps) {
  return (
    <Anchor
      size={label === undefined ? 'sm' : 'xs'}
      underline={label === undefined ? 'hover' : 'always'}
      truncate
      display={label === undefined ? 'block' : 'inline'}
      maw={180}
      title={crid}
      renderRoot={(props) => <Link to="/creatives/find" search={{ dsp, crid }} {...props} />}
    >
      {label ?? crid}
    </Anchor>
  );
}

/**
 * Every bid against its floor, with why it lost and what would have won; campaigns of delegates that did not bid, with
 * why.
 */
export function Bids({ auction, named }: { readonly auction: Auction; readonly named: boolean }) {
  const bids = auction.demand
    .flatMap(({ dsp_id: dspId, bids: own }) => own.map((bid) => ({ dspId, bid })))
    .sort((a, b) => (b.bid.price_cpm ?? 0) - (a.bid.price_cpm ?? 0));
  const kept = auction.demand.flatMap(({ dsp_id: dspId, kept_back: own }) => own.map((one) => ({ dspId, one })));
  return (
    <Stack gap="md">
      <Table.ScrollContainer minWidth={720} type="native">
        <Table aria-label="Bids">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Demand source</Table.Th>
              <Table.Th>Imp</Table.Th>
              <Table.Th ta="right">Price</Table.Th>
              <Table.Th ta="right">Floor</Table.Th>
              <Table.Th>Creative</Table.Th>
              <Table.Th>Outcome</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {bids.map(({ dspId, bid }) => (
              <Table.Tr key={`${dspId} ${bid.imp_id} ${bid.bid_id} ${bid.campaign_id}`}>
                <Table.Td>
                  <Text size="sm" component="div">
                    <SourceName of="dsp" id={dspId} known={named} />
                  </Text>
                </Table.Td>
                <Table.Td>{bid.imp_id}</Table.Td>
                <Table.Td ta="right" className="figure">
                  {bid.price_cpm === null ? '—' : formatCpm(bid.price_cpm)}
                  {bid.stated_price !== null && (
                    <Text size="xs" c="dimmed">
                      {bid.stated_price.cpm} {bid.stated_price.currency} at {bid.stated_price.dollars_per_unit}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td ta="right" className="figure">
                  {bid.floor_cpm === null ? '—' : formatCpm(bid.floor_cpm)}
                </Table.Td>
                <Table.Td>
                  {bid.crid === null || bid.crid === '' ? (
                    <Text size="sm">—</Text>
                  ) : (
                    <CreativeLink dsp={dspId} crid={bid.crid} />
                  )}
                  <Text size="xs" c="dimmed" truncate maw={180}>
                    {bid.adomain.join(', ')}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Status of={bid.won ? 'won' : 'lost'} />
                  {bid.reason !== null && (
                    <Text size="xs" c="dimmed" maw={320} mt={2}>
                      {words(bid.reason)}. {bid.why}
                      {bid.min_to_win_cpm !== null && ` ${formatCpm(bid.min_to_win_cpm)} would have won.`}
                      {bid.crid !== null && bid.crid !== '' && BY_REVIEW.has(bid.reason) && (
                        <>
                          {' '}
                          <CreativeLink dsp={dspId} crid={bid.crid} label="Which decision it was" />
                        </>
                      )}
                    </Text>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {kept.length > 0 && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            Campaigns that matched and did not bid
          </Text>
          {kept.map(({ dspId, one }) => (
            <Text size="sm" key={`${dspId} ${one.imp_id} ${one.campaign_id}`}>
              <b>{one.campaign_id}</b>: {words(one.reason)}. {one.why} {one.remedy}
            </Text>
          ))}
        </div>
      )}
    </Stack>
  );
}
