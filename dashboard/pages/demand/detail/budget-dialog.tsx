import { Alert, Button, Group, Modal, NumberInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { components } from '../../../api/generated.d.ts';
import { useChange } from '../../../api/queries.ts';
import { showFieldFaults } from '../../../kit/form-faults.ts';
import { tellDone } from '../../../kit/tell.ts';

interface BudgetDialogProps {
  readonly id: string;
  readonly name: string;
  readonly budget: components['schemas']['Budget'];
  readonly onClose: () => void;
}

/** A new daily budget, which holds for today too. */
export function BudgetDialog({ id, name, budget, onClose }: BudgetDialogProps) {
  const change = useChange('patch', '/api/demand/dsp/{id}/budget', { touches: ['/api/demand'] });
  const [fault, setFault] = useState<string | null>(null);
  const now = budget.daily_budget_cents;
  const form = useForm({
    initialValues: { daily_budget_cents: (now === 0 ? '' : now / 100) as number | string },
  });
  const submit = form.onSubmit(async ({ daily_budget_cents: dollars }) => {
    try {
      setFault(null);
      const cents = dollars === '' ? 0 : Math.round(Number(dollars) * 100);
      await change.mutateAsync({ params: { path: { id } }, body: { daily_budget_cents: cents } });
      tellDone(`The budget of ${name} holds from now on, for today too.`);
      onClose();
    } catch (error) {
      setFault(showFieldFaults(form, error));
    }
  });
  return (
    <Modal opened onClose={onClose} title="Daily budget">
      <form onSubmit={submit}>
        <Stack gap="sm">
          {fault !== null && (
            <Alert color="red" role="alert">
              {fault}
            </Alert>
          )}
          <NumberInput
            label="Daily budget"
            description="In US dollars, by UTC day; it holds for today too. Empty: unlimited"
            prefix="$"
            min={0}
            decimalScale={2}
            thousandSeparator=","
            placeholder="Unlimited"
            hideControls
            data-autofocus
            {...form.getInputProps('daily_budget_cents')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={change.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
