import { Anchor, Code, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Id } from '../../../kit/copy.tsx';
import { Section } from '../../../kit/figure.tsx';
import { formatCount } from '../../../kit/format.ts';
import { SourceName } from '../../../kit/source-name.tsx';
import { Time } from '../../../kit/time.tsx';
import { formatsOf, type Reviewed, type Seen } from '../creative.ts';
import { DECLARED_WORDS, STABILITY_WORDS } from '../creative-words.ts';
import { Fact, Facts } from './facts.tsx';

interface IdentitySectionProps {
  readonly of: Seen;
  /** What an account reads beside. */
  readonly account: Reviewed | undefined;
}

/** What the creative is: whose, of what markup, for whom, and when it was seen. */
export function IdentitySection({ of: creative, account }: IdentitySectionProps) {
  const { fingerprint, campaign_id: campaignId, attributes, categories, advertiser_domains: domains } = creative;
  return (
    <Section title="What it is">
      <Facts label="What it is">
        <Fact name="Demand source">
          {account === undefined ? creative.dsp_name : <SourceName of="dsp" id={creative.dsp_id} />}
        </Fact>
        {campaignId !== null && (
          <Fact name="Campaign">
            <Anchor
              inherit
              renderRoot={(props) => (
                <Link
                  to="/campaigns/$id/creatives/$creative"
                  params={{ id: campaignId, creative: creative.crid }}
                  {...props}
                />
              )}
            >
              As its campaign has it
            </Anchor>
          </Fact>
        )}
        <Fact name="Creative id (crid)">{creative.crid === '' ? 'The bids give none' : creative.crid}</Fact>
        <Fact name="Id here">
          <Id value={creative.id} what="the id of the creative" />
        </Fact>
        <Fact name="Fingerprint">
          {fingerprint === null ? (
            'None: one creative stands for all of this crid'
          ) : (
            <Id value={fingerprint} what="the fingerprint of the markup" />
          )}
        </Fact>
        <Fact name="Markup">
          {STABILITY_WORDS[creative.stability]}. Its demand source says {DECLARED_WORDS[creative.declared]}.
        </Fact>
        <Fact name="Format">{formatsOf(creative) || '—'}</Fact>
        <Fact name="Advertisers">{domains.length === 0 ? 'None named' : domains.join(', ')}</Fact>
        <Fact name="Categories">
          {categories.length === 0
            ? 'None named'
            : `${categories.join(', ')} (${creative.category_taxonomy === 1 ? 'IAB 1.0' : `taxonomy ${creative.category_taxonomy}`})`}
        </Fact>
        {attributes.length > 0 && <Fact name="Attributes">{attributes.join(', ')} (AdCOM)</Fact>}
        {account !== undefined && <Fact name="Offered to">{publishersOf(account)}</Fact>}
        <Fact name="Seen">
          <Time at={creative.first_seen_at} ago /> first, <Time at={creative.last_seen_at} ago /> last, and looked at in{' '}
          {formatCount(creative.sightings)} auctions
        </Fact>
        {account !== undefined && account.versions.length > 0 && (
          <Fact name="Other versions">
            <Stack gap={2}>
              {account.versions.map(({ id, fingerprint: other, last_seen_at: at }) => (
                <Group key={id} gap={6}>
                  <Anchor inherit renderRoot={(props) => <Link to="/creatives/$id" params={{ id }} {...props} />}>
                    <Code>{other === null ? 'Differs each time' : other.slice(0, 12)}</Code>
                  </Anchor>
                  <Time at={at} ago />
                </Group>
              ))}
            </Stack>
          </Fact>
        )}
      </Facts>
    </Section>
  );
}

function publishersOf({ publishers }: Reviewed) {
  if (publishers.length === 0) return 'Nobody yet';
  return (
    <Group gap="xs">
      {publishers.map(({ publisher_id: id, publisher_name: name }) => (
        <Anchor key={id} inherit renderRoot={(props) => <Link to="/supply/$id" params={{ id }} {...props} />}>
          {name}
        </Anchor>
      ))}
    </Group>
  );
}
