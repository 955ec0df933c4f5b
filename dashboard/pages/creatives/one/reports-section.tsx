import { Stack, Text } from '@mantine/core';
import { Section } from '../../../kit/figure.tsx';
import { Time } from '../../../kit/time.tsx';
import type { Reviewed } from '../creative.ts';
import { REPORT_WORDS } from '../creative-words.ts';

const WORDS: Readonly<Record<string, string>> = REPORT_WORDS;

/** What people reported about the creative, the newest first. */
export function ReportsSection({ of: { reports } }: { readonly of: Reviewed }) {
  return (
    <Section title="Reports" description="They stop nothing by themselves, and stand until somebody decides.">
      <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {reports.map(({ by, reason, comment, at }) => (
          <li key={`${by} ${at}`}>
            <Text size="sm" fw={600}>
              {WORDS[reason] ?? reason}
            </Text>
            {comment !== '' && (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }} dir="auto" ta="left">
                {comment}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              {by}, <Time at={at} ago />
            </Text>
          </li>
        ))}
      </Stack>
    </Section>
  );
}
