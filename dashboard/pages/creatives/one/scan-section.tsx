import { Anchor, Badge, Group, Stack, Text } from '@mantine/core';
import { Section } from '../../../kit/figure.tsx';
import { formatBytes, formatMs } from '../../../kit/format.ts';
import { Time } from '../../../kit/time.tsx';
import type { Seen } from '../creative.ts';
import { FINDING_WORDS } from '../creative-words.ts';
import { ScanMark } from '../marks.tsx';
import { Fact, Facts } from './facts.tsx';

type Media = Seen['scan']['media'][number];

/** What the last scan found and measured, and what is done about each finding. */
export function ScanSection({ of: { scan } }: { readonly of: Seen }) {
  const { report, findings, failure, media } = scan;
  return (
    <Section
      title="Scan"
      actions={<ScanMark of={scan.status} />}
      description={
        <>
          {scan.scanned_at === null ? 'Not finished yet' : <Time at={scan.scanned_at} ago />}. The next is due{' '}
          <Time at={scan.next_scan_at} ago />.
        </>
      }
    >
      {failure !== null && <Text size="sm">The last scan could not be finished: {failure}</Text>}
      {findings.length > 0 ? (
        <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Findings">
          {findings.map(({ code, severity, message, url }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same may be found several times
            <li key={`${code} ${index}`}>
              <Group gap="xs" wrap="nowrap" align="flex-start">
                <Badge miw="max-content" color={severity === 'violation' ? 'red' : 'yellow'}>
                  {severity === 'violation' ? 'Violation' : 'Warning'}
                </Badge>
                <Stack gap={0} miw={0} style={{ overflowWrap: 'anywhere' }}>
                  <Text size="sm" fw={600}>
                    {FINDING_WORDS[code].title}
                  </Text>
                  <Text size="sm">{message}</Text>
                  {url !== null && (
                    <Text size="xs" ff="monospace">
                      {url}
                    </Text>
                  )}
                  <Text size="sm" c="dimmed">
                    {FINDING_WORDS[code].remedy}
                  </Text>
                </Stack>
              </Group>
            </li>
          ))}
        </Stack>
      ) : (
        <Text size="sm" c="dimmed">
          {scan.status === 'clean' ? 'Nothing was found.' : 'What it finds is here when it has ended.'}
        </Text>
      )}
      {report !== null && (
        <Facts label="What the scan measured">
          <Fact name="Loads from">{report.domains.join(', ') || 'nowhere'}</Fact>
          <Fact name="Redirects">{report.redirects}</Fact>
          {report.wrappers > 0 && <Fact name="VAST wrappers">{report.wrappers}</Fact>}
          <Fact name="Load">
            {formatMs(report.load_ms)}, {formatBytes(report.bytes)}
          </Fact>
          <Fact name="Landing page">{report.landing_domain ?? 'could not be read'}</Fact>
          {media.length > 0 && <Fact name="Files">{media.map(wordsOf).join(' · ')}</Fact>}
          {report.screenshot_url !== null && (
            <Fact name="Screenshot">
              <Anchor inherit href={report.screenshot_url} target="_blank" rel="noopener noreferrer">
                As a browser drew it
              </Anchor>
            </Fact>
          )}
        </Facts>
      )}
    </Section>
  );
}

function wordsOf({ use, container, width, height, bytes, duration_ms: ms, bitrate_kbps: kbps }: Media): string {
  return [
    container ?? use,
    width !== null && height !== null ? `${width}x${height}` : '',
    ms === null ? '' : `${ms / 1000} s`,
    kbps === null ? '' : `${kbps} kbit/s`,
    formatBytes(bytes),
  ]
    .filter((part) => part !== '')
    .join(' ');
}
