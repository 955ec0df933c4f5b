import { Alert, Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { components } from '../../api/generated.d.ts';
import { useList } from '../../api/pages.ts';
import { useAnswer } from '../../api/queries.ts';
import { Empty } from '../../kit/answered.tsx';
import { CsvButton } from '../../kit/csv-button.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { formatCount } from '../../kit/format.ts';
import { Money } from '../../kit/money.tsx';
import { Time } from '../../kit/time.tsx';
import { monthName } from './billing.ts';

type Statement = components['schemas']['Statement'];

/** For operators: the final statements of all accounts in a month, and whether the books balance. */
export default function AllStatements({ month }: { readonly month: string }) {
  const list = useList('/api/statements', { month }, { rows: (body) => body.statements });
  const columns: Column<Statement>[] = [
    {
      id: 'source',
      header: 'Source',
      cell: ({ source_type: type, source_id: id, source_name: name, month: of }) => (
        <Anchor
          size="sm"
          truncate
          display="block"
          maw={300}
          title={name}
          renderRoot={(props) => <Link to="/billing/$type/$id/$month" params={{ type, id, month: of }} {...props} />}
        >
          {name}
        </Anchor>
      ),
    },
    {
      id: 'type',
      header: 'Is a',
      wide: true,
      cell: ({ source_type: type }) => (type === 'dsp' ? 'Demand source' : 'Publisher'),
    },
    {
      id: 'impressions',
      header: 'Impressions',
      right: true,
      wide: true,
      cell: ({ impressions }) => formatCount(impressions),
    },
    { id: 'gross', header: 'Gross', right: true, cell: ({ gross_cents: cents }) => <Money cents={cents} /> },
    { id: 'fee', header: 'Fee', right: true, wide: true, cell: ({ fee_cents: cents }) => <Money cents={cents} /> },
    {
      id: 'due',
      header: 'Due',
      right: true,
      cell: ({ due_after_adjustments_cents: cents }) => <Money cents={cents} />,
    },
    { id: 'final', header: 'Final since', wide: true, cell: ({ finalized_at: at }) => <Time at={at} ago /> },
  ];
  return (
    <Stack gap="md">
      <AuditResult />
      <Group justify="flex-end">
        <CsvButton path={`/api/statements?month=${month}`} fileName={`statements-${month}.csv`} paged />
      </Group>
      <Paper p={0}>
        <DataTable
          caption="Final statements"
          list={list}
          columns={columns}
          rowId={({ id }) => id}
          empty={
            <Empty title={`No statement of ${monthName(month)} is final`}>
              The job finalise-billing freezes a month some minutes after it is over.
            </Empty>
          }
        />
      </Paper>
    </Stack>
  );
}

/** What the last audit of the books found: every impression against every statement. */
function AuditResult() {
  const { body } = useAnswer('/api/jobs');
  const audit = body?.jobs.find(({ name }) => name === 'audit');
  if (audit === undefined) return null;
  const { last_run: last, last_failure: failure } = audit;
  const failed = failure !== null && (last === null || failure.at > last.ended_at);
  return (
    <Alert color={failed ? 'red' : colorOf(last?.figures ?? null)} title="Audit of the books">
      <Text size="sm">
        {failed && failure.reason}
        {!failed && last !== null && (
          <>
            {last.outcome} (<Time at={last.ended_at} ago />)
          </>
        )}
        {!failed && last === null && (
          <>
            It has not run yet; next <Time at={audit.next_run_at} ago none="never" />.
          </>
        )}
      </Text>
    </Alert>
  );
}

/** Gray where no books were complete yet. */
function colorOf(found: Readonly<Record<string, number>> | null): string {
  if (found === null) return 'gray';
  return Object.values(found).some((differences) => differences > 0) ? 'red' : 'green';
}
