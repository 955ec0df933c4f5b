import { Button, Group } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Answered } from '../../kit/answered.tsx';
import { CsvButton } from '../../kit/csv-button.tsx';
import { Page } from '../../kit/page.tsx';
import { Status } from '../../kit/status.tsx';
import { type Kind, useBill } from './bill-cells.tsx';
import { monthName, sumsOf } from './billing.ts';
import { Statement } from './statement/statement.tsx';

/** One source's bill of one month, fit for A4. */
export function StatementPage() {
  const { type, id, month } = useParams({ strict: false }) as { type: string; id: string; month: string };
  const kind: Kind = type === 'dsp' ? 'dsp' : 'publisher';
  const bill = useBill(kind, id, month);
  const path = `/api/${kind === 'dsp' ? 'demand' : 'supply'}/sources/${id}/billing?month=${month}`;
  return (
    <Page
      title={
        bill.body === undefined ? `Statement, ${monthName(month)}` : `${sumsOf(bill.body).name}, ${monthName(month)}`
      }
      parent={{ to: '/billing', label: 'Billing' }}
      beside={bill.body !== undefined && <Status of={bill.body.status} />}
      calls={[{ path }]}
      actions={
        <Group gap="xs">
          <CsvButton path={path} fileName={`statement-${id}-${month}.csv`} />
          <Button size="xs" variant="default" onClick={() => window.print()}>
            Print
          </Button>
        </Group>
      }
    >
      <Answered of={bill} lines={8}>
        {(body) => <Statement bill={body} id={id} />}
      </Answered>
    </Page>
  );
}
