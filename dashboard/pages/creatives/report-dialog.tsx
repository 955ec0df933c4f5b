import { Alert, Button, Group, Modal, Select, Stack, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { tellDone } from '../../kit/tell.ts';
import { type Listed, titleOf } from './creative.ts';
import { REPORT_WORDS } from './creative-words.ts';
import { useReader } from './reader.ts';

type ReportReason = keyof typeof REPORT_WORDS;
const REASONS = Object.entries(REPORT_WORDS).map(([value, label]) => ({ value, label }));

/** Tells the account and the operators what is wrong with a creative. It stops nothing. */
export function ReportDialog({ creative, onClose }: { readonly creative: Listed; readonly onClose: () => void }) {
  const own = useReader() !== 'account';
  const report = useChange('post', '/api/creatives/{id}/report');
  const ownReport = useChange('post', '/api/source/creatives/{id}/report');
  const [reason, setReason] = useState<ReportReason>('malware');
  const [comment, setComment] = useState('');
  const [fault, setFault] = useState<string | null>(null);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    const body = { reason, ...(comment !== '' && { comment }) };
    try {
      setFault(null);
      await (own ? ownReport : report).mutateAsync({ params: { path: { id: creative.id } }, body });
      tellDone(`${titleOf(creative)} is reported.`);
      onClose();
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <Modal opened onClose={onClose} title={`Report ${titleOf(creative)}`}>
      <form onSubmit={send}>
        <Stack gap="sm">
          {fault !== null && (
            <Alert color="red" role="alert" title="It was not reported">
              {fault}
            </Alert>
          )}
          <Select
            label="What is wrong"
            description="A report stops nothing: block the creative where it must not be shown"
            data={REASONS}
            allowDeselect={false}
            data-autofocus
            value={reason}
            onChange={(chosen) => setReason((chosen as ReportReason | null) ?? 'other')}
          />
          <Textarea
            label="Comment"
            autosize
            minRows={3}
            maxLength={1_000}
            value={comment}
            onChange={({ currentTarget }) => setComment(currentTarget.value)}
          />
          <Group justify="flex-end" mt="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={report.isPending || ownReport.isPending}>
              Report
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
