import { Stack, Text } from '@mantine/core';
import { useAnswer } from '../../../api/queries.ts';
import { Answered } from '../../../kit/answered.tsx';
import { Section } from '../../../kit/figure.tsx';
import type { Seen } from '../creative.ts';
import { CreativePreview } from '../creative-preview.tsx';
import { PATHS, useReader } from '../reader.ts';

const PREVIEW_PX = 380;

/** The creative as it looks, and what a preview cannot show of it. */
export function PreviewSection({ of: creative }: { readonly of: Seen }) {
  const reader = useReader();
  const preview = useAnswer(PATHS[reader].preview, { params: { path: { id: creative.id } } });
  return (
    <Section title="Preview" description="No tracker is called, nothing is counted, and nothing of the bidder's runs.">
      <CreativePreview of={creative} height={PREVIEW_PX} />
      <Answered of={preview} lines={1}>
        {({ note, left_out: leftOut, hosted, landing_url: landing }) => (
          <Stack gap={2}>
            {note !== null && creative.campaign_id === null && <Text size="sm">{note}</Text>}
            {leftOut && (
              <Text size="sm">
                It has scripts or frames, which a preview leaves out: it may show little or nothing here.
              </Text>
            )}
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {hosted ? 'As it is hosted here. ' : ''}
              {landing === null ? 'Where it leads is not known.' : `A click leads to ${landing}`}
            </Text>
          </Stack>
        )}
      </Answered>
    </Section>
  );
}
