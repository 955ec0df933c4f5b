import { SimpleGrid, Text } from '@mantine/core';
import { Section } from '../../../kit/figure.tsx';
import { type Campaign, creativesOf, ROTATIONS, rotationShares } from '../campaign.ts';
import { CreativeCard } from '../creative-card.tsx';

/** What it shows, and how often each gets its turn. */
export function CreativesTab({ campaign }: { readonly campaign: Campaign }) {
  const creatives = creativesOf(campaign);
  const shares = rotationShares(campaign);
  const rotation = ROTATIONS.find(({ value }) => value === campaign.rotation_strategy)?.label;
  return (
    <Section
      title="Creatives"
      description={
        creatives.length > 1 && (
          <Text span inherit>
            {creatives.length} in rotation: {rotation?.toLowerCase()}. The share is of auctions that all of them fit.
          </Text>
        )
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
        {creatives.map((creative, index) => (
          <CreativeCard
            key={creative.creative_id}
            campaign={campaign}
            creative={creative}
            share={creatives.length > 1 ? shares[index]! : null}
          />
        ))}
      </SimpleGrid>
    </Section>
  );
}
