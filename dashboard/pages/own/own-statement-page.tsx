import { Button, Group } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { NotYours } from '../../app/failures/not-yours.tsx';
import { Answered } from '../../kit/answered.tsx';
import { CsvButton } from '../../kit/csv-button.tsx';
import { Page } from '../../kit/page.tsx';
import { Status } from '../../kit/status.tsx';
import { monthName } from '../billing/billing.ts';
import { Statement } from '../billing/statement/statement.tsx';
import { useOwnSource } from './own-source.ts';
import { useOwnBill } from './use-own-bill.ts';

/** The statement of one's own source of a month; an address that names another source is not theirs. */
export function OwnStatementPage() {
  const { type, id, month } = useParams({ strict: false }) as { type: string; id: string; month: string };
  const own = useOwnSource();
  return own.type === type && own.id === id ? <OwnStatement month={month} /> : <NotYours />;
}

function OwnStatement({ month }: { readonly month: string }) {
  const { type, id, name } = useOwnSource();
  const bill = useOwnBill(month);
  const path = `/api/${type === 'publisher' ? 'source' : 'demand'}/billing?month=${month}`;
  return (
    <Page
      title={`${name}, ${monthName(month)}`}
      parent={{ to: '/billing', label: 'Billing' }}
      beside={bill.body !== undefined && <Status of={bill.body.status} />}
      calls={[{ path }]}
      actions={
        <Group gap="xs">
          <CsvButton path={path} fileName={`statement-${month}.csv`} />
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
