import { useParams } from '@tanstack/react-router';
import { useAnswer } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { Id } from '../../kit/copy.tsx';
import { Page } from '../../kit/page.tsx';
import { AuctionView } from '../auctions/auction-view.tsx';
import { useOwnSource } from './own-source.ts';

/** One auction of one's own source. */
export function OwnAuctionPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const { type } = useOwnSource();
  const init = { params: { path: { id } } };
  const sold = useAnswer('/api/source/auctions/{id}', init, { enabled: type === 'publisher' });
  const bought = useAnswer('/api/demand/auctions/{id}', init, { enabled: type === 'dsp' });
  return (
    <Page
      title="Auction"
      parent={{ to: '/auctions', label: 'Auctions' }}
      beside={<Id value={id} what="the id of the record" short />}
    >
      <Answered of={type === 'publisher' ? sold : bought} lines={8}>
        {(auction) => <AuctionView auction={auction} named={false} />}
      </Answered>
    </Page>
  );
}
