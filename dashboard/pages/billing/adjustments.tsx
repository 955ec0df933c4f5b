import {
  Alert,
  Button,
  Group,
  Modal,
  NumberInput,
  Paper,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { components } from '../../api/generated.d.ts';
import { useList } from '../../api/pages.ts';
import { useChange } from '../../api/queries.ts';
import { useIsOperator } from '../../app/session/session.ts';
import { Empty } from '../../kit/answered.tsx';
import { confirm } from '../../kit/confirm.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { showFieldFaults } from '../../kit/form-faults.ts';
import { formatCents, formatCount, words } from '../../kit/format.ts';
import { Money } from '../../kit/money.tsx';
import { SourceName } from '../../kit/source-name.tsx';
import { SourceSelect } from '../../kit/source-select.tsx';
import { tellDone } from '../../kit/tell.ts';
import { Time } from '../../kit/time.tsx';
import { monthName } from './billing.ts';

type Adjustment = components['schemas']['Adjustment'];
type Reason = components['schemas']['CreateAdjustmentRequest']['reason'];

const REASONS: readonly Reason[] = [
  'investigation',
  'bot-user-agent',
  'named-crawler',
  'data-centre',
  'other-country',
  'other-device',
  'address-burst',
  'undeclared-channel',
  'self-fired',
];

/** What was taken off bills after the fact, and why. */
export default function Adjustments({ month }: { readonly month: string }) {
  const list = useList('/api/adjustments', { month }, { rows: (body) => body.adjustments });
  const operator = useIsOperator();
  const [making, setMaking] = useState(false);
  const columns: Column<Adjustment>[] = [
    { id: 'at', header: 'Booked', cell: ({ booked_at: at }) => <Time at={at} ago /> },
    {
      id: 'publisher',
      header: 'Publisher',
      cell: ({ publisher_id: id }) => <SourceName of="publisher" id={id} />,
    },
    { id: 'dsp', header: 'Demand source', cell: ({ dsp_id: id }) => <SourceName of="dsp" id={id} /> },
    { id: 'period', header: 'Of', wide: true, cell: ({ period }) => period },
    {
      id: 'reason',
      header: 'Reason',
      cell: ({ reason, note }) => (
        <Stack gap={0} maw={280}>
          <Text size="sm">{words(reason)}</Text>
          <Text size="xs" c="dimmed" lineClamp={2} title={note}>
            {note}
          </Text>
        </Stack>
      ),
    },
    { id: 'imps', header: 'Impressions', right: true, wide: true, cell: ({ impressions }) => formatCount(impressions) },
    { id: 'gross', header: 'Gross', right: true, cell: ({ gross_cents: cents }) => <Money cents={cents} /> },
  ];
  const add = operator && <Button onClick={() => setMaking(true)}>Book an adjustment</Button>;
  return (
    <Stack gap="md">
      {operator && list.rows.length > 0 && <Group justify="flex-end">{add}</Group>}
      <Paper p={0}>
        <DataTable
          caption="Adjustments"
          list={list}
          columns={columns}
          rowId={({ id }) => id}
          empty={
            <Empty title={`Nothing was adjusted in ${monthName(month)}`} action={add}>
              An adjustment gives back what was paid for invalid traffic. The statement that it is of stays as it is.
            </Empty>
          }
        />
      </Paper>
      {making && <NewAdjustment month={month} onClose={() => setMaking(false)} />}
    </Stack>
  );
}

function NewAdjustment({ month, onClose }: { readonly month: string; readonly onClose: () => void }) {
  const create = useChange('post', '/api/adjustments', { touches: ['/api/adjustments', '/api/supply', '/api/demand'] });
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm({
    initialValues: {
      publisher_id: '',
      dsp_id: '',
      period: month,
      impressions: '' as number | '',
      // In dollars, under the name by which the API finds fault with it.
      gross_cents: '' as number | '',
      reason: 'investigation' as Reason,
      note: '',
    },
    validate: {
      publisher_id: (id) => (id === '' ? 'Choose the publisher that was paid.' : null),
      dsp_id: (id) => (id === '' ? 'Choose the demand source that paid.' : null),
    },
  });
  const book = async () => {
    const { gross_cents: dollars, impressions, ...rest } = form.getValues();
    try {
      await create.mutateAsync({
        body: { ...rest, impressions: Number(impressions), gross_cents: centsOf(dollars) },
      });
      tellDone('The adjustment is booked.');
      onClose();
    } catch (error) {
      setFault(showFieldFaults(form, error));
    }
  };
  const submit = form.onSubmit((values) =>
    confirm({
      title: 'Book the adjustment?',
      what: `${formatCents(centsOf(values.gross_cents))} gross of ${formatCount(Number(values.impressions))} impressions in ${values.period} is taken off both bills. It cannot be taken back: another adjustment can only take off more.`,
      label: 'Book it',
      danger: true,
      run: book,
    }),
  );
  return (
    <Modal opened onClose={onClose} title="Book an adjustment" size="lg">
      <form onSubmit={submit}>
        <Stack gap="sm">
          {fault !== null && (
            <Alert color="red" role="alert">
              {fault}
            </Alert>
          )}
          <Group grow>
            <SourceSelect
              of="publisher"
              label="Publisher"
              value={form.values.publisher_id}
              onChange={(id) => form.setFieldValue('publisher_id', id)}
              error={form.errors.publisher_id}
            />
            <SourceSelect
              of="dsp"
              label="Demand source"
              value={form.values.dsp_id}
              onChange={(id) => form.setFieldValue('dsp_id', id)}
              error={form.errors.dsp_id}
            />
          </Group>
          <Group grow align="flex-start">
            <TextInput label="Month" description="YYYY-MM" required {...form.getInputProps('period')} />
            <NumberInput label="Impressions" required min={1} {...form.getInputProps('impressions')} />
            <NumberInput
              label="Gross (USD)"
              required
              min={0}
              decimalScale={9}
              prefix="$"
              {...form.getInputProps('gross_cents')}
            />
          </Group>
          <Select
            label="Reason"
            allowDeselect={false}
            data={REASONS.map((value) => ({ value, label: words(value) }))}
            {...form.getInputProps('reason')}
          />
          <Textarea label="Note" autosize minRows={2} {...form.getInputProps('note')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Book
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/**
 * Dollars with up to 9 decimals, to the nano-dollar, as cents: the point moves, and nothing is multiplied or rounded.
 */
function centsOf(dollars: number | ''): number {
  return Number(`${Number(dollars).toFixed(9)}e2`);
}
