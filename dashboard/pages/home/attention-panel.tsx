import { Anchor, Badge, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { components } from '../../api/generated.d.ts';
import { useAnswer } from '../../api/queries.ts';
import { Answered, Empty } from '../../kit/answered.tsx';
import { Section } from '../../kit/figure.tsx';
import { Time } from '../../kit/time.tsx';

type Matter = components['schemas']['Matter'];

const COLOURS = { critical: 'red', warning: 'yellow', notice: 'gray' } as const;
const LABELS = { critical: 'Now', warning: 'Soon', notice: 'To do' } as const;
const EVERY_MS = 30_000;

/** What needs attention, the worst first, each with a link to where it is resolved. */
export function AttentionPanel() {
  const asked = useAnswer('/api/attention', undefined, { everyMs: EVERY_MS });
  return (
    <Section title="Needs attention">
      <Answered of={asked}>
        {({ matters, left_out: leftOut }) =>
          matters.length === 0 ? (
            <Empty title="Nothing does">Bidders answer, budgets last, and every job ran in time.</Empty>
          ) : (
            <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {matters.map((matter) => (
                <li key={`${matter.kind} ${matter.subject?.id ?? ''}`}>
                  <Group gap="sm" wrap="nowrap" align="flex-start">
                    <Badge color={COLOURS[matter.severity]} w={64} flex="none">
                      {LABELS[matter.severity]}
                    </Badge>
                    <Stack gap={0} miw={0}>
                      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                        {matter.message}
                      </Text>
                      <Text size="xs" c="dimmed">
                        {matter.remedy}{' '}
                        {matter.since !== null && (
                          <>
                            Since <Time at={matter.since} ago />.
                          </>
                        )}{' '}
                        <Place of={matter} />
                      </Text>
                    </Stack>
                  </Group>
                </li>
              ))}
              {leftOut > 0 && (
                <Text size="sm" c="dimmed">
                  And {leftOut} more.
                </Text>
              )}
            </Stack>
          )
        }
      </Answered>
    </Section>
  );
}

function Place({ of: { kind, subject } }: { readonly of: Matter }) {
  const place = placeOf(kind, subject);
  if (place === null) return null;
  const [to = '', query = ''] = place.split('?');
  const search = Object.fromEntries(new URLSearchParams(query)) as never;
  return (
    <Anchor inherit underline="always" renderRoot={(props) => <Link to={to} search={search} {...props} />}>
      {subject === null ? 'Look' : `Open ${subject.name}`}
    </Anchor>
  );
}

function placeOf(kind: string, subject: Matter['subject']): string | null {
  switch (subject?.type) {
    case 'publisher':
      return kind === 'ads-txt-failed' ? `/supply/${subject.id}?tab=ads-txt` : `/supply/${subject.id}`;
    case 'dsp':
      return `/demand/${subject.id}`;
    case 'pool':
      return `/pools/${subject.id}`;
    case 'campaign':
      return `/campaigns/${subject.id}`;
    case 'creative':
      return `/creatives/${subject.id}`;
    case 'webhook':
      return `/settings/webhooks?webhook=${subject.id}`;
    case 'job':
      return '/settings/jobs';
    default:
      return kind.includes('letter') ? '/settings/dead-letters' : kind.includes('job') ? '/settings/jobs' : null;
  }
}
