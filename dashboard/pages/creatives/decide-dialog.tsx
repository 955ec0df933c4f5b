import { Alert, Button, Group, Modal, Select, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { tellDone } from '../../kit/tell.ts';
import { type By, type Listed, type Scope, titleOf } from './creative.ts';
import { useDecisions } from './use-decisions.ts';

export interface NamedScope extends Scope {
  readonly label: string;
}

interface DecideDialogProps {
  readonly creative: Listed;
  readonly decision: 'block' | 'approve';
  /** Those that the reader may decide in, of which the first is chosen. */
  readonly scopes: readonly NamedScope[];
  readonly onClose: (decided?: Scope) => void;
}

const EFFECT = {
  block: 'Its bids lose from the next second on, on every edge.',
  approve: 'It is shown wherever nothing else is against it.',
} as const;

/**
 * Decides about a creative, or about what it is of: in which scope, and why. One confirmation, which says what will
 * happen.
 */
export function DecideDialog({ creative, decision, scopes, onClose }: DecideDialogProps) {
  const { decide, busy } = useDecisions();
  const [scope, setScope] = useState('0');
  const [by, setBy] = useState<string>('creative');
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const chosen = scopes[Number(scope)]!;
  const name = titleOf(creative);
  const block = decision === 'block';

  const run = async (event: FormEvent) => {
    event.preventDefault();
    const [what = 'creative', value] = by.split(' ');
    try {
      setFault(null);
      await decide({ creativeId: creative.id, decision, scope: chosen, by: what as By, value, reason });
      tellDone(`${name} is ${block ? 'blocked' : 'approved'}: ${chosen.label}.`);
      onClose(chosen);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <Modal opened onClose={() => onClose()} title={`${block ? 'Block' : 'Approve'} ${name}`}>
      <form onSubmit={run}>
        <Stack gap="sm">
          {fault !== null && (
            <Alert color="red" role="alert" title="Nothing was decided">
              {fault}
            </Alert>
          )}
          <Text size="sm">{EFFECT[decision]}</Text>
          {scopes.length > 1 && (
            <Select
              label="For"
              data={scopes.map(({ label }, index) => ({ value: String(index), label }))}
              allowDeselect={false}
              value={scope}
              onChange={(index) => setScope(index ?? '0')}
            />
          )}
          <Select
            label={block ? 'What is blocked' : 'What is approved'}
            data={subjectsOf(creative)}
            allowDeselect={false}
            value={by}
            onChange={(subject) => setBy(subject ?? 'creative')}
          />
          <Textarea
            label="Reason"
            description="The demand source reads it too"
            data-autofocus
            autosize
            minRows={2}
            maxLength={500}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
          <Group justify="flex-end" mt="xs">
            <Button variant="default" onClick={() => onClose()}>
              Cancel
            </Button>
            <Button type="submit" color={block ? 'red' : undefined} loading={busy}>
              {block ? 'Block' : 'Approve'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** What of a creative a decision may name: `<by>`, or `<by> <value>` for one of several. */
function subjectsOf({ fingerprint, advertiser_domains: domains, dsp_name: dsp }: Listed) {
  return [
    { value: 'creative', label: 'This creative alone' },
    ...(fingerprint === null ? [] : [{ value: 'fingerprint', label: 'Its markup, whoever brings it' }]),
    ...[...new Set(domains)].map((domain) => ({
      value: `advertiser ${domain}`,
      label: `Everything of ${domain}`,
    })),
    { value: 'demand_source', label: `Everything of ${dsp}` },
  ];
}
