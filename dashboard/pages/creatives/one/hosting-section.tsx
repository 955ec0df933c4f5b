import { Anchor, Stack, Text } from '@mantine/core';
import { Section } from '../../../kit/figure.tsx';
import type { Seen } from '../creative.ts';
import { HostingMark } from '../marks.tsx';

const WHAT = {
  waiting: 'Its markup passes as it comes until it was seen often enough, scanned and stored.',
  hosted:
    'It is served from the exchange’s own hosts, unwrapped, with the trackers that the bidder gave. Where it came from is not exposed.',
  'not-hosted': 'Its markup passes as the bidder sends it.',
} as const;

/** Where the creative is served from, and why. */
export function HostingSection({ of: { hosting } }: { readonly of: Seen }) {
  return (
    <Section title="Hosting" actions={<HostingMark of={hosting.status} />}>
      <Stack gap="xs" style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm">{WHAT[hosting.status]}</Text>
        {hosting.reason !== null && <Text size="sm">Why: {hosting.reason}</Text>}
        {hosting.files.length > 0 && (
          <Stack gap={2} component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Hosted files">
            {hosting.files.map((file) => (
              <li key={file}>
                <Anchor size="sm" href={file} target="_blank" rel="noopener noreferrer">
                  {file.split('/').at(-1)?.slice(0, 16)}…
                </Anchor>
              </li>
            ))}
          </Stack>
        )}
      </Stack>
    </Section>
  );
}
