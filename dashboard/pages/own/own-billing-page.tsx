import { Anchor, Button, Paper } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useList } from '../../api/pages.ts';
import { Answered, Empty } from '../../kit/answered.tsx';
import { DataTable } from '../../kit/data-table.tsx';
import { Figure, Figures } from '../../kit/figure.tsx';
import { formatCount } from '../../kit/format.ts';
import { Money } from '../../kit/money.tsx';
import { Page } from '../../kit/page.tsx';
import { Time } from '../../kit/time.tsx';
import { monthName, sumsOf, thisMonth } from '../billing/billing.ts';
import { useOwnSource } from './own-source.ts';
import { useOwnBill } from './use-own-bill.ts';

/** What one's own source is paid or owes: the running month, and every statement that is final. */
export function OwnBillingPage() {
  const { type, id } = useOwnSource();
  const month = thisMonth();
  const running = useOwnBill(month);
  const sold = useList(
    '/api/source/statements',
    {},
    { rows: (body) => body.statements, enabled: type === 'publisher' },
  );
  const bought = useList('/api/demand/statements', {}, { rows: (body) => body.statements, enabled: type === 'dsp' });
  return (
    <Page
      title="Billing"
      actions={
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => <Link to="/billing/$type/$id/$month" params={{ type, id, month }} {...props} />}
        >
          {monthName(month)} so far
        </Button>
      }
    >
      <Answered of={running}>
        {(bill) => {
          const sums = sumsOf(bill);
          return (
            <Figures cols={4}>
              <Figure label="Billed impressions" value={formatCount(sums.impressions)} />
              <Figure label="Gross" value={<Money cents={sums.grossCents} />} />
              <Figure label={`Fee, ${sums.feePercent} %`} value={<Money cents={sums.feeCents} />} />
              <Figure
                label={type === 'publisher' ? 'Payout so far' : 'Due so far'}
                value={<Money cents={bill.due_after_adjustments_cents ?? sums.dueCents} />}
              />
            </Figures>
          );
        }}
      </Answered>
      <Paper p={0}>
        <DataTable
          caption="Final statements"
          list={type === 'publisher' ? sold : bought}
          rowId={(row) => row.id}
          columns={[
            {
              id: 'month',
              header: 'Month',
              cell: (row) => (
                <Anchor
                  size="sm"
                  renderRoot={(props) => (
                    <Link to="/billing/$type/$id/$month" params={{ type, id, month: row.month }} {...props} />
                  )}
                >
                  {monthName(row.month)}
                </Anchor>
              ),
            },
            { id: 'imps', header: 'Impressions', right: true, cell: ({ impressions }) => formatCount(impressions) },
            { id: 'due', header: 'Due', right: true, cell: (row) => <Money cents={row.due_after_adjustments_cents} /> },
            { id: 'final', header: 'Final since', wide: true, cell: ({ finalized_at: at }) => <Time at={at} ago /> },
          ]}
          empty={<Empty title="No month is final yet">A month becomes final some minutes after it is over.</Empty>}
        />
      </Paper>
    </Page>
  );
}
