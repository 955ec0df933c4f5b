import { Alert, Button, Checkbox, Group, Modal, NumberInput, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { showFieldFaults } from '../../kit/form-faults.ts';
import { tellDone } from '../../kit/tell.ts';
import { useConflict } from '../../kit/use-conflict.tsx';
import type { Pool } from './pool.ts';

interface PoolFormProps {
  /** Null for a new one. */
  readonly pool: Pool | null;
  /** Of the version that was opened. */
  readonly etag?: string | null;
  readonly onClose: (made?: Pool) => void;
}

interface PoolValues {
  name: string;
  description: string;
  floor_price_cpm: number | '';
  require_verified: boolean;
}

/** As the API takes it: an empty floor is none. */
function bodyOf(values: PoolValues) {
  return { ...values, floor_price_cpm: values.floor_price_cpm === '' ? 0 : values.floor_price_cpm };
}

/** Makes or changes a pool. */
export function PoolForm({ pool, etag = null, onClose }: PoolFormProps) {
  const create = useChange('post', '/api/supply/pools');
  const patch = useChange('patch', '/api/supply/pools/{pool_id}');
  const conflict = useConflict();
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm<PoolValues>({
    initialValues: {
      name: pool?.name ?? '',
      description: pool?.description ?? '',
      floor_price_cpm: pool?.floor_price_cpm ?? '',
      require_verified: pool?.require_verified ?? false,
    },
  });

  const save = async (of: string | null) => {
    setFault(null);
    const values = form.getValues();
    const body = bodyOf(values);
    const before = bodyOf(form.getInitialValues()) as Record<string, unknown>;
    // What was not touched here stays as others leave it.
    const changed = Object.fromEntries(Object.entries(body).filter(([name, value]) => before[name] !== value));
    try {
      const { body: saved } =
        pool === null
          ? await create.mutateAsync({ body })
          : await patch.mutateAsync({ params: { path: { pool_id: pool.id } }, body: changed, etag: of });
      tellDone(pool === null ? `The pool ${values.name} is there.` : `${values.name} is saved.`);
      onClose(saved);
    } catch (error) {
      if (conflict(error, { overwrite: () => save(null), reload: () => onClose() })) return;
      setFault(showFieldFaults(form, error));
    }
  };

  return (
    <Modal opened onClose={() => onClose()} title={pool === null ? 'New pool' : `Edit ${pool.name}`}>
      <form onSubmit={form.onSubmit(() => save(etag))}>
        <Stack gap="sm">
          {fault !== null && (
            <Alert color="red" role="alert" title="It was not saved">
              {fault}
            </Alert>
          )}
          <TextInput label="Name" required data-autofocus maxLength={120} {...form.getInputProps('name')} />
          <Textarea label="Description" autosize minRows={2} {...form.getInputProps('description')} />
          <NumberInput
            label="Floor (CPM, USD)"
            description="For all its publishers; where theirs is higher, theirs holds"
            min={0}
            decimalScale={6}
            prefix="$"
            {...form.getInputProps('floor_price_cpm')}
          />
          <Checkbox
            label="Verified publishers alone"
            description="Others’ requests are answered 403 until their ads.txt names the exchange"
            {...form.getInputProps('require_verified', { type: 'checkbox' })}
          />
          <Group justify="flex-end" mt="xs">
            <Button variant="default" onClick={() => onClose()}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending || patch.isPending}>
              {pool === null ? 'Create pool' : 'Save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
