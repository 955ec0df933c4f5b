import { Table, Text } from '@mantine/core';
import { Copy } from '../../../kit/copy.tsx';
import { formatCents, formatCpm } from '../../../kit/format.ts';
import { SourceName } from '../../../kit/source-name.tsx';
import { Status } from '../../../kit/status.tsx';
import type { Auction } from '../auction.ts';

const IMPRESSIONS = {
  billed: 'Shown and billed',
  awaited: 'Not shown yet: billed when it is',
  none: 'Was never shown, and is not billed',
  unknown: 'Nobody knows any more',
  test: 'Sold in test mode, and never billed',
} as const;

const MICROS_A_CENT = 10_000;

/** What was sold, and what became of it: an impression is billed when it is shown, and only then. */
export function Sold({ auction, named }: { readonly auction: Auction; readonly named: boolean }) {
  return (
    <Table.ScrollContainer minWidth={640} type="native">
      <Table aria-label="Sold impressions">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Imp</Table.Th>
            <Table.Th>To</Table.Th>
            <Table.Th>Format</Table.Th>
            <Table.Th ta="right">Price (CPM)</Table.Th>
            <Table.Th>Impression</Table.Th>
            <Table.Th ta="right">Billed</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {auction.sold.map((sale) => (
            <Table.Tr key={sale.tracking_id}>
              <Table.Td>{sale.imp_id}</Table.Td>
              <Table.Td>
                <Text size="sm" component="div">
                  <SourceName of="dsp" id={sale.dsp_id} known={named} />
                </Text>
              </Table.Td>
              <Table.Td>{sale.format}</Table.Td>
              <Table.Td ta="right" className="figure">
                {formatCpm(sale.clearing_cpm)}
              </Table.Td>
              <Table.Td>
                <Status of={sale.impression} label={IMPRESSIONS[sale.impression]} />
                <Copy value={sale.tracking_id} what="the tracking id" />
              </Table.Td>
              <Table.Td ta="right" className="figure">
                {sale.cost_micros === null ? '—' : formatCents(sale.cost_micros / MICROS_A_CENT)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
