import { Anchor, Badge, Card, Group, Progress, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatRatio } from '../../kit/format.ts';
import { type Campaign, type Creative, FORMATS, formatOf } from './campaign.ts';
import { PreviewFrame } from './preview-frame.tsx';
import { Warnings } from './warnings.tsx';

interface CreativeCardProps {
  readonly campaign: Campaign;
  readonly creative: Creative;
  /** Of the campaign's bids, 0..1; null for an only one. */
  readonly share?: number | null;
  /** Among creatives of several campaigns, it says whose it is. */
  readonly named?: boolean;
}

const PREVIEW_PX = 200;

/** A creative as it looks, with what is not as recommended. */
export function CreativeCard({ campaign, creative, share = null, named = false }: CreativeCardProps) {
  const { creative_id: creativeId, width, height } = creative;
  const warnings = warningsOf(campaign, creativeId);
  return (
    <Card withBorder padding="sm" component="article" aria-label={creativeId}>
      <Stack gap="xs">
        <PreviewFrame campaignId={campaign.id} creative={creative} height={PREVIEW_PX} />
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Stack gap={0} miw={0}>
            <Anchor
              size="sm"
              fw={600}
              truncate
              dir="auto"
              ta="left"
              title={creativeId}
              renderRoot={(props) => (
                <Link
                  to="/campaigns/$id/creatives/$creative"
                  params={{ id: campaign.id, creative: creativeId }}
                  {...props}
                />
              )}
            >
              {creativeId}
            </Anchor>
            {named && (
              <Text size="xs" c="dimmed" truncate dir="auto" ta="left" title={campaign.campaign_name}>
                {campaign.campaign_name}
              </Text>
            )}
          </Stack>
          <Badge color="gray" miw="max-content">
            {FORMATS[formatOf(creative)]}
            {width !== undefined && height !== undefined && ` ${width}x${height}`}
          </Badge>
        </Group>
        {share !== null && (
          <div>
            <Progress value={share * 100} size="sm" aria-label={`Share of ${creativeId}`} />
            <Text size="xs" c="dimmed" mt={4}>
              {formatRatio(share)} of bids
            </Text>
          </div>
        )}
        <Warnings of={warnings} />
      </Stack>
    </Card>
  );
}

export function warningsOf({ creative_warnings: warnings }: Campaign, creativeId: string): readonly string[] {
  return warnings.filter(({ creative_id: id }) => id === creativeId).map(({ warning }) => warning);
}
