import { Anchor, Group, SimpleGrid, Stack } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useAnswer } from '../../api/queries.ts';
import { Answered, Empty } from '../../kit/answered.tsx';
import { Section } from '../../kit/figure.tsx';
import { formatRatio } from '../../kit/format.ts';
import { Page } from '../../kit/page.tsx';
import { Status } from '../../kit/status.tsx';
import { type Campaign, type Creative, creativesOf, FORMATS, formatOf, rotationShares } from '../campaigns/campaign.ts';
import { warningsOf } from '../campaigns/creative-card.tsx';
import { PreviewFrame } from '../campaigns/preview-frame.tsx';
import { Warnings } from '../campaigns/warnings.tsx';
import { Fact, Facts } from './one/facts.tsx';

const PREVIEW_PX = 420;

/** One creative of a campaign: as it looks, what it is made of, and what is not as recommended. */
export function CreativePage() {
  const { id, creative: creativeId } = useParams({ strict: false }) as { id: string; creative: string };
  const asked = useAnswer('/api/campaigns/{id}', { params: { path: { id } } });
  return (
    <Page
      title={creativeId}
      parent={{ to: '/creatives?tab=campaigns', label: 'Creatives' }}
      description={
        asked.body !== undefined && (
          <>
            Of the campaign{' '}
            <Anchor
              underline="always"
              inherit
              renderRoot={(props) => <Link to="/campaigns/$id" params={{ id }} {...props} />}
            >
              {asked.body.campaign_name}
            </Anchor>
          </>
        )
      }
      beside={asked.body !== undefined && <Status of={asked.body.status} />}
      calls={[{ path: `/api/campaigns/${id}/creatives/${encodeURIComponent(creativeId)}/preview` }]}
    >
      <Answered of={asked} lines={6}>
        {(campaign) => {
          const index = creativesOf(campaign).findIndex((one) => one.creative_id === creativeId);
          const creative = creativesOf(campaign)[index];
          return creative === undefined ? (
            <Empty title="The campaign has no such creative (any more)">Look at those that it has.</Empty>
          ) : (
            <Shown campaign={campaign} creative={creative} share={rotationShares(campaign)[index] ?? 1} />
          );
        }}
      </Answered>
    </Page>
  );
}

interface ShownProps {
  readonly campaign: Campaign;
  readonly creative: Creative;
  readonly share: number;
}

function Shown({ campaign, creative, share }: ShownProps) {
  const path = { id: campaign.id, creative_id: creative.creative_id };
  const preview = useAnswer('/api/campaigns/{id}/creatives/{creative_id}/preview', { params: { path } });
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Section title="Preview" description="No tracker is called, and nothing is counted.">
        <PreviewFrame campaignId={campaign.id} creative={creative} height={PREVIEW_PX} />
      </Section>
      <Stack gap="lg">
        <Section title="Warnings" description="It serves all the same, but for those that say otherwise.">
          <Warnings of={warningsOf(campaign, creative.creative_id)} remedies />
        </Section>
        <Section title="What it is">
          <Answered of={preview}>
            {(facts) => (
              <Facts label="What it is">
                <Fact name="Format">{FORMATS[formatOf(creative)]}</Fact>
                <Fact name="Size">
                  {facts.width && facts.height ? `${facts.width} x ${facts.height} pixels` : 'As its place'}
                </Fact>
                {facts.duration_ms !== null && <Fact name="Length">{facts.duration_ms / 1000} s</Fact>}
                {facts.files.length > 0 && (
                  <Fact name="Files">
                    <Group gap="xs">
                      {facts.files.map((file) => (
                        <Anchor key={file.url} size="sm" href={file.url} target="_blank" rel="noopener noreferrer">
                          {file.mime_type}
                          {file.width && file.height ? ` ${file.width}x${file.height}` : ''}
                        </Anchor>
                      ))}
                    </Group>
                  </Fact>
                )}
                <Fact name="Leads to">{facts.landing_url ?? 'Nowhere'}</Fact>
                <Fact name="Share of bids">{formatRatio(share)}</Fact>
                <Fact name="Trackers">
                  {`${(creative.impression_trackers ?? []).length} of impressions, ${(creative.click_trackers ?? []).length} of clicks`}
                </Fact>
              </Facts>
            )}
          </Answered>
        </Section>
      </Stack>
    </SimpleGrid>
  );
}
