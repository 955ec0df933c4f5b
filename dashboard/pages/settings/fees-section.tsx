import { Button, Group, NumberInput, SegmentedControl, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useList } from '../../api/pages.ts';
import { useAnswer, useChange } from '../../api/queries.ts';
import { useIsOperator } from '../../app/session/session.ts';
import { Empty } from '../../kit/answered.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { Section } from '../../kit/figure.tsx';
import { tellDone, tellFault } from '../../kit/tell.ts';
import { useConflict } from '../../kit/use-conflict.tsx';
import { useView } from '../../kit/use-view.ts';

interface Source {
  readonly id: string;
  readonly name: string;
}

/** What the exchange keeps of a publisher's gross, and takes on top of a demand source's spend. Operators set it. */
export default function FeesSection() {
  const [view, setView] = useView({ of: 'supply' });
  const ofSupply = view.of === 'supply';
  const supply = useList(
    '/api/supply/sources',
    { sort: 'name', per_page: 20 },
    { rows: (body) => body.publishers as readonly Source[], enabled: ofSupply },
  );
  const demand = useList(
    '/api/demand/sources',
    { sort: 'name', per_page: 20 },
    { rows: (body) => body.dsps as readonly Source[], enabled: !ofSupply },
  );
  const columns: Column<Source>[] = [
    {
      id: 'name',
      header: ofSupply ? 'Publisher' : 'Demand source',
      cell: ({ name }) => (
        <Text size="sm" truncate maw={420} title={name}>
          {name}
        </Text>
      ),
    },
    { id: 'fee', header: 'Fee', right: true, cell: (source) => <Fee key={source.id} source={source} /> },
  ];
  return (
    <Section
      title="Fees"
      description={
        ofSupply ? 'What is kept of the gross; the rest is paid out.' : 'What is charged on top of the spend.'
      }
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Whose fees"
          data={[
            { value: 'supply', label: 'Publishers' },
            { value: 'demand', label: 'Demand sources' },
          ]}
          value={view.of}
          onChange={(of) => setView({ of })}
        />
      }
    >
      <DataTable
        caption="Fees"
        list={ofSupply ? supply : demand}
        columns={columns}
        rowId={({ id }) => id}
        empty={<Empty title="There is no source yet" />}
      />
    </Section>
  );
}

function Fee({ source }: { readonly source: Source }) {
  const operator = useIsOperator();
  const path = { params: { path: { source_id: source.id } } };
  const fee = useAnswer('/api/fees/{source_id}', path);
  const change = useChange('put', '/api/fees/{source_id}', { touches: ['/api/fees'] });
  const conflict = useConflict();
  const [value, setValue] = useState<string | number>('');
  const known = fee.body?.fee_percent;
  useEffect(() => {
    if (known !== undefined) setValue(known);
  }, [known]);

  const save = async (etag: string | null) => {
    try {
      await change.mutateAsync({ ...path, body: { fee_percent: Number(value) }, etag });
      tellDone(`The fee of ${source.name} is ${value} % from now on. Closed statements stay as they are.`);
    } catch (error) {
      if (!conflict(error, { overwrite: () => save(null), reload: () => setValue(known ?? '') })) tellFault(error);
    }
  };
  if (!operator) return <Text size="sm">{known === undefined ? '…' : `${known} %`}</Text>;
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      <NumberInput
        aria-label={`Fee of ${source.name} in percent`}
        size="xs"
        w={96}
        min={0}
        max={100}
        decimalScale={4}
        suffix=" %"
        hideControls
        disabled={known === undefined}
        value={value}
        onChange={setValue}
      />
      <Button
        size="compact-xs"
        disabled={value === '' || value === known}
        loading={change.isPending}
        onClick={() => void save(fee.etag)}
      >
        Save
      </Button>
    </Group>
  );
}
