import { Alert, Button, Group, Modal, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { components } from '../../api/generated.d.ts';
import { useList } from '../../api/pages.ts';
import { useChange } from '../../api/queries.ts';
import { Empty } from '../../kit/answered.tsx';
import { confirm } from '../../kit/confirm.tsx';
import { Snippet } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { Section } from '../../kit/figure.tsx';
import { tellDone, tellFault } from '../../kit/tell.ts';
import { Time } from '../../kit/time.tsx';
import { useView } from '../../kit/use-view.ts';

type Letter = components['schemas']['DeadLetter'];

/**
 * Messages that an actor could not handle: read, handled again once the cause is mended, or discarded with a reason.
 */
export default function DeadLettersSection() {
  const [view, setView] = useView({ state: 'waiting' });
  const list = useList('/api/dead-letters', { state: view.state }, { rows: (body) => body.letters, cursor: true });
  const replay = useChange('post', '/api/dead-letters/{letter_id}/replay', { touches: ['/api/dead-letters'] });
  const [read, setRead] = useState<Letter | null>(null);
  const [discarding, setDiscarding] = useState<Letter | null>(null);

  const again = ({ letter_id, to, type }: Letter) =>
    confirm({
      title: 'Handle this message again?',
      what: `${type} goes to ${to} once more. What it does is done once, however often it is sent.`,
      label: 'Replay',
      run: async () => {
        try {
          await replay.mutateAsync({ params: { path: { letter_id } } });
          tellDone('The message is on its way again.');
        } catch (error) {
          tellFault(error);
        }
      },
    });

  const columns: Column<Letter>[] = [
    {
      id: 'to',
      header: 'Message',
      cell: ({ to, type }) => (
        <>
          <Text size="sm" fw={600}>
            {type}
          </Text>
          <Text size="xs" c="dimmed" ff="monospace" truncate maw={{ base: 160, sm: 230 }} title={to}>
            {to}
          </Text>
        </>
      ),
    },
    {
      id: 'reason',
      header: 'Reason',
      cell: ({ reason }) => (
        <Text size="sm" lineClamp={2} maw={{ base: 200, sm: 300 }} style={{ overflowWrap: 'anywhere' }} title={reason}>
          {reason}
        </Text>
      ),
    },
    { id: 'at', header: 'Parked', cell: ({ parked_at }) => <Time at={parked_at} ago /> },
    {
      id: 'actions',
      header: '',
      right: true,
      cell: (deadLetter) => (
        <Group gap={6} wrap="nowrap" justify="flex-end">
          <Button size="compact-xs" variant="default" onClick={() => setRead(deadLetter)}>
            Read
          </Button>
          {deadLetter.state === 'waiting' && (
            <>
              <Button size="compact-xs" variant="default" onClick={() => again(deadLetter)}>
                Replay
              </Button>
              <Button size="compact-xs" variant="light" color="red" onClick={() => setDiscarding(deadLetter)}>
                Discard
              </Button>
            </>
          )}
        </Group>
      ),
    },
  ];

  return (
    <Section
      title="Dead letters"
      description="Messages that could not be handled. A month whose impressions are among them stays open until they are."
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Which messages"
          data={[
            { value: 'waiting', label: 'Waiting' },
            { value: 'replayed', label: 'Replayed' },
            { value: 'discarded', label: 'Discarded' },
          ]}
          value={view.state}
          onChange={(state) => setView({ state })}
        />
      }
    >
      <DataTable
        caption="Dead letters"
        list={list}
        columns={columns}
        rowId={({ letter_id }) => letter_id}
        empty={<Empty title={view.state === 'waiting' ? 'No message is waiting' : 'None'} />}
      />
      {read !== null && (
        <Modal opened onClose={() => setRead(null)} title={`${read.type} to ${read.to}`} size="lg">
          <Stack gap="sm">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {read.reason}
            </Text>
            <Snippet text={pretty(read.message)} what="the message" />
            {read.discarded !== undefined && (
              <Text size="sm">
                Discarded by {read.discarded.by}, <Time at={read.discarded.at} />: {read.discarded.reason}
              </Text>
            )}
          </Stack>
        </Modal>
      )}
      {discarding !== null && <Discard deadLetter={discarding} onClose={() => setDiscarding(null)} />}
    </Section>
  );
}

function Discard({ deadLetter, onClose }: { readonly deadLetter: Letter; readonly onClose: () => void }) {
  const discard = useChange('post', '/api/dead-letters/{letter_id}/discard', { touches: ['/api/dead-letters'] });
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const submit = async () => {
    try {
      await discard.mutateAsync({ params: { path: { letter_id: deadLetter.letter_id } }, body: { reason } });
      tellDone('The message is discarded.');
      onClose();
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Modal opened onClose={onClose} title="Discard this message?">
      <Stack gap="sm">
        <Text size="sm">
          {deadLetter.type} to {deadLetter.to} is never handled. The audit counts what it held as discarded. This cannot
          be undone.
        </Text>
        {fault !== null && (
          <Alert color="red" role="alert">
            {fault}
          </Alert>
        )}
        <Textarea
          label="Reason"
          description="For the audit trail"
          required
          autosize
          minRows={2}
          data-autofocus
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" disabled={reason.trim() === ''} loading={discard.isPending} onClick={() => void submit()}>
            Discard
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** A message is JSON as a rule, and may be cut. */
function pretty(message: string): string {
  try {
    return JSON.stringify(JSON.parse(message), null, 2);
  } catch {
    return message;
  }
}
