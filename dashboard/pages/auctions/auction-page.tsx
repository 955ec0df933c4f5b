import { Group } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useAnswer } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { Id } from '../../kit/copy.tsx';
import { Page } from '../../kit/page.tsx';
import { Status } from '../../kit/status.tsx';
import { AuctionView } from './auction-view.tsx';

/** One auction, from the request to the impression. */
export function AuctionPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const asked = useAnswer('/api/auctions/{id}', { params: { path: { id } } });
  return (
    <Page
      title="Auction"
      parent={{ to: '/auctions', label: 'Auctions' }}
      beside={
        <Group gap="xs">
          {asked.body !== undefined && <Status of={asked.body.outcome} />}
          <Id value={id} what="the id of the record" short />
        </Group>
      }
      calls={[{ path: `/api/auctions/${id}` }]}
    >
      <Answered of={asked} lines={8}>
        {(auction) => <AuctionView auction={auction} />}
      </Answered>
    </Page>
  );
}
