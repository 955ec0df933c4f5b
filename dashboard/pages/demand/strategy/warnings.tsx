import { Anchor, Badge, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useList } from '../../../api/pages.ts';
import { Section } from '../../../kit/figure.tsx';
import { words } from '../../../kit/format.ts';

/** What the exchange found in the files of the saved campaigns' creatives. They serve all the same. */
export function CreativeWarnings({ sourceId }: { readonly sourceId: string }) {
  const list = useList('/api/campaigns', { dsp_id: sourceId }, { rows: (body) => body.campaigns });
  const warned = list.rows.filter(({ status, creative_warnings: found }) => status !== 'retired' && found.length > 0);
  if (warned.length === 0) return null;
  return (
    <Section
      title="Warnings of creatives"
      description={`Of the saved campaigns${list.hasNextPage ? `, the first ${list.rows.length}` : ''}. They serve all the same.`}
    >
      <Stack gap={6} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {warned.slice(0, 20).map(({ id, campaign_name, creative_warnings }) => (
          <Group key={id} component="li" gap="xs">
            <Anchor
              size="sm"
              maw={280}
              truncate
              renderRoot={(props) => <Link to="/campaigns/$id" params={{ id }} {...props} />}
            >
              {campaign_name}
            </Anchor>
            {creative_warnings.map(({ creative_id, warning }) => (
              <Badge key={`${creative_id} ${warning}`} color="yellow" title={creative_id}>
                {words(warning)}
              </Badge>
            ))}
          </Group>
        ))}
      </Stack>
      {warned.length > 20 && (
        <Text size="xs" c="dimmed">
          And {warned.length - 20} more campaigns.
        </Text>
      )}
    </Section>
  );
}
