import { Paper, Stack, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAnswer } from '../../../api/queries.ts';
import { formatCents, formatCount, words } from '../../../kit/format.ts';
import { Time } from '../../../kit/time.tsx';
import { type Bill, monthName, sumsOf } from '../billing.ts';
import classes from './statement.module.css';

/**
 * What is paid or owed, line by line, as it is printed. Amounts are whole: nothing is rounded that the API did not
 * round.
 */
export function Statement({ bill, id }: { readonly bill: Bill; readonly id: string }) {
  const sums = sumsOf(bill);
  const payout = 'payout' in bill;
  const { body: exchange } = useAnswer('/api/exchange');
  const adjusted = bill.due_after_adjustments_cents;
  return (
    <Paper className={classes.sheet} p={{ base: 'md', sm: 'xl' }}>
      <Stack gap="xl">
        <section aria-label="Head">
          <Text size="sm" c="dimmed">
            {exchange?.domain}
          </Text>
          <Title order={2}>{payout ? 'Payout statement' : 'Invoice'}</Title>
          <Text style={{ overflowWrap: 'anywhere' }}>
            {sums.name} · {monthName(bill.month)} (UTC)
          </Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {payout ? 'Publisher' : 'Demand source'} {id}
          </Text>
        </section>
        <section aria-label="Amounts">
          <Row label="Billed impressions" value={formatCount(sums.impressions)} />
          <Row label={payout ? 'Gross revenue' : 'Spend'} value={formatCents(sums.grossCents)} />
          <Row
            label={`Exchange fee, ${sums.feePercent} %`}
            value={`${sums.feeCents === 0 ? '' : payout ? '−' : '+'}${formatCents(sums.feeCents)}`}
          />
          <Row
            label={payout ? 'Payout (USD)' : 'Total due (USD)'}
            value={formatCents(sums.dueCents)}
            total={adjusted === undefined}
          />
          {adjusted !== undefined && <Row label="After adjustments (USD)" value={formatCents(adjusted)} total />}
        </section>
        {bill.adjustments !== undefined && bill.adjustments.length > 0 && (
          <section aria-label="Adjustments">
            <Title order={3} mb="xs">
              Adjustments
            </Title>
            <section className={classes.lines} tabIndex={0} aria-label="Lines of the adjustments">
              <Table aria-label="Adjustments" horizontalSpacing={8}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Of</Table.Th>
                    <Table.Th>Reason</Table.Th>
                    <Table.Th ta="right">Impressions</Table.Th>
                    <Table.Th ta="right">Amount</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {bill.adjustments.map((one) => (
                    <Table.Tr key={one.id}>
                      <Table.Td className={classes.period}>{one.period}</Table.Td>
                      <Table.Td>
                        {words(one.reason)}. {one.description}
                      </Table.Td>
                      <Table.Td ta="right">{formatCount(one.impressions)}</Table.Td>
                      <Table.Td ta="right">{formatCents(one.amount_cents)}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </section>
          </section>
        )}
        {bill.invalid_traffic !== undefined && bill.invalid_traffic.total > 0 && (
          <section aria-label="Invalid traffic">
            <Title order={3} mb="xs">
              Called for by invalid traffic, and not billed then
            </Title>
            {bill.invalid_traffic.reasons.map(({ reason, count, description }) => (
              <Row key={reason} label={`${words(reason)}: ${description}`} value={formatCount(count)} />
            ))}
            {bill.invalid_traffic.billed_later > 0 && (
              <Row
                label="Of such impressions: billed since, as a valid call followed"
                value={formatCount(bill.invalid_traffic.billed_later)}
              />
            )}
          </section>
        )}
        <section aria-label="Notes">
          {bill.late_impressions !== undefined && (
            <Text size="sm">
              {formatCount(bill.late_impressions)} of these impressions ({formatCents(bill.late_gross_cents ?? 0)}) were
              sold in an earlier month and shown in this one.
            </Text>
          )}
          <Text size="sm" component="div">
            {bill.status === 'finalized' ? (
              <>
                Final
                {bill.finalized_at !== undefined && (
                  <>
                    {' '}
                    since <Time at={bill.finalized_at} />
                  </>
                )}
                .
              </>
            ) : (
              'In progress: the figures still change until the month is over and its books are complete.'
            )}
          </Text>
          {bill.pages_sha256 !== undefined && (
            <Text size="xs" c="dimmed" mt="xs" component="div">
              SHA-256 of the pages of the ledger: <span className={classes.hash}>{bill.pages_sha256}</span>
            </Text>
          )}
        </section>
      </Stack>
    </Paper>
  );
}

function Row({
  label,
  value,
  total = false,
}: {
  readonly label: ReactNode;
  readonly value: ReactNode;
  readonly total?: boolean;
}) {
  return (
    <div className={`${classes.row} ${total ? classes.total : ''}`}>
      <span>{label}</span>
      <span className="figure">{value}</span>
    </div>
  );
}
