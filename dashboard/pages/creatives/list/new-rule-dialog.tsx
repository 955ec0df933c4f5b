import { Alert, Button, Group, Modal, SegmentedControl, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useChange } from '../../../api/queries.ts';
import { showFieldFaults } from '../../../kit/form-faults.ts';
import { SourceSelect } from '../../../kit/source-select.tsx';
import { tellDone } from '../../../kit/tell.ts';
import type { Rule, Scope } from '../creative.ts';
import { SUBJECT_WORDS } from '../creative-words.ts';
import { useReader } from '../reader.ts';
import { isWhole, ScopeSelect, useScopeKinds } from '../scope-select.tsx';

type Subject = Rule['subject'];

const FIELDS: Readonly<Record<Exclude<Subject, 'demand_source'>, { readonly label: string; readonly hint: string }>> = {
  advertiser: { label: 'Domain', hint: 'And all below it: rival.example' },
  category: { label: 'IAB category', hint: 'And all below it: IAB25, IAB25-3' },
  attribute: { label: 'Creative attribute', hint: 'Its number in AdCOM: 1 for audio that plays by itself' },
  fingerprint: { label: 'Fingerprint', hint: 'As the page of a creative shows it: 32 hexadecimal characters' },
  creative: { label: 'Creative id', hint: 'As the page of a creative shows it: 32 hexadecimal characters' },
};
/** The common ones first. */
const SUBJECTS = (['advertiser', 'category', 'attribute', 'demand_source', 'fingerprint', 'creative'] as const).map(
  (value) => ({ value, label: SUBJECT_WORDS[value] }),
);
const BLOCKED_ONLY: ReadonlySet<Subject> = new Set(['category', 'attribute']);

const DONE = { block: 'blocked', approve: 'approved' } as const;

interface RuleValues {
  subject: Subject;
  value: string;
  decision: 'block' | 'approve';
  reason: string;
}

/** Decides about all that is of an advertiser, a category, an attribute, markup or a demand source. */
export function NewRuleDialog({ onClose }: { readonly onClose: () => void }) {
  const own = useReader() !== 'account';
  const create = useChange('post', '/api/creatives/rules');
  const createOwn = useChange('post', '/api/source/creatives/rules');
  const kinds = useScopeKinds();
  const [scope, setScope] = useState<Scope>({ kind: kinds.includes('account') ? 'account' : 'publisher', id: '' });
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm<RuleValues>({
    initialValues: { subject: 'advertiser', value: '', decision: 'block', reason: '' },
  });
  const { subject, value } = form.values;
  const blockedOnly = BLOCKED_ONLY.has(subject);
  const bySource = subject === 'demand_source' && !own;
  const field = subject === 'demand_source' ? { label: 'Demand source id', hint: 'Its UUID' } : FIELDS[subject];

  const save = async ({ reason, ...values }: RuleValues) => {
    setFault(null);
    const decision = blockedOnly ? 'block' : values.decision;
    const body = { ...values, value: values.value.trim(), decision, ...(reason !== '' && { reason }) };
    const scoped = { ...body, scope: scope.kind, ...(scope.id !== '' && { scope_id: scope.id }) };
    try {
      await (own ? createOwn.mutateAsync({ body }) : create.mutateAsync({ body: scoped }));
      tellDone(`${SUBJECT_WORDS[subject]}${bySource ? '' : ` ${body.value}`}: ${DONE[decision]}.`);
      onClose();
    } catch (error) {
      setFault(showFieldFaults(form, error));
    }
  };

  return (
    <Modal opened onClose={onClose} title="New decision about creatives">
      <form onSubmit={form.onSubmit(save)}>
        <Stack gap="sm">
          {fault !== null && (
            <Alert color="red" role="alert" title="Nothing was decided">
              {fault}
            </Alert>
          )}
          <SegmentedControl
            aria-label="Decision"
            data={[
              { value: 'block', label: 'Block' },
              { value: 'approve', label: 'Approve', disabled: blockedOnly },
            ]}
            {...form.getInputProps('decision')}
            value={blockedOnly ? 'block' : form.values.decision}
          />
          {!own && (
            <Stack gap={4}>
              <Text size="sm" fw={500}>
                For
              </Text>
              <ScopeSelect value={scope} onChange={setScope} />
            </Stack>
          )}
          <Select
            label="About"
            data={SUBJECTS}
            allowDeselect={false}
            value={subject}
            onChange={(chosen) => form.setValues({ subject: (chosen as Subject | null) ?? 'advertiser', value: '' })}
          />
          {bySource ? (
            <SourceSelect
              of="dsp"
              label="Demand source"
              required
              value={value}
              onChange={(id) => form.setFieldValue('value', id)}
              error={form.errors.value}
            />
          ) : (
            <TextInput
              label={field.label}
              description={field.hint}
              required
              data-autofocus
              maxLength={253}
              {...form.getInputProps('value')}
            />
          )}
          <Textarea
            label="Reason"
            description="The demand source reads it too"
            autosize
            minRows={2}
            maxLength={500}
            {...form.getInputProps('reason')}
          />
          <Group justify="flex-end" mt="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              color={blockedOnly || form.values.decision === 'block' ? 'red' : undefined}
              disabled={!own && !isWhole(scope)}
              loading={create.isPending || createOwn.isPending}
            >
              {blockedOnly || form.values.decision === 'block' ? 'Block' : 'Approve'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
