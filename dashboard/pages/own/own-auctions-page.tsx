import { Button, SimpleGrid } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useList } from '../../api/pages.ts';
import { useAnswer } from '../../api/queries.ts';
import { Answered, Empty } from '../../kit/answered.tsx';
import { Page } from '../../kit/page.tsx';
import { useView } from '../../kit/use-view.ts';
import { fromOf } from '../auctions/auction.ts';
import { AuctionFilters, type AuctionsView } from '../auctions/auction-filters.tsx';
import { AuctionsTable } from '../auctions/auctions-table.tsx';
import { ReasonsPanel } from '../auctions/reasons-panel.tsx';
import { useOwnSource } from './own-source.ts';

const ALL: AuctionsView = { publisher: '', dsp: '', outcome: '', reason: '', region: '', since: '24h' };

/** The auctions of one's own source. */
export function OwnAuctionsPage() {
  const { type } = useOwnSource();
  const publisher = type === 'publisher';
  const [view, setView] = useView(ALL);
  const from = useMemo(() => fromOf(view.since), [view.since]);
  const whose = {
    ...(view.region !== '' && { region: view.region }),
    ...(view.outcome !== '' && { outcome: view.outcome }),
    ...(from !== undefined && { from }),
  };
  const query = { ...whose, ...(view.reason !== '' && { reason: view.reason }) };
  const sold = useList('/api/source/auctions', query, {
    rows: (body) => body.auctions,
    cursor: true,
    enabled: publisher,
  });
  const bought = useList('/api/demand/auctions', query, {
    rows: (body) => body.auctions,
    cursor: true,
    enabled: !publisher,
  });
  const init = { params: { query: whose as never } };
  const sellerReasons = useAnswer('/api/source/reasons', init, { keep: true, enabled: publisher });
  const buyerReasons = useAnswer('/api/demand/reasons', init, { keep: true, enabled: !publisher });
  const list = publisher ? sold : bought;
  const filtered = Object.entries(ALL).some(([name, initial]) => view[name] !== initial);
  const reasons = publisher ? sellerReasons : buyerReasons;
  return (
    <Page title="Auctions" description="A fair sample of your auctions, with what happened in each.">
      <AuctionFilters
        view={view}
        onView={setView}
        sources={false}
        reasons={reasons.body?.reasons.map(({ reason }) => reason) ?? []}
        busy={list.isRefetching}
        onRefresh={() => {
          void list.refetch();
          void reasons.refetch();
        }}
      />
      <SimpleGrid cols={1} spacing="lg">
        {list.rows.length > 0 && (
          <Answered of={reasons}>
            {(body) => <ReasonsPanel reasons={body} chosen={view.reason} onChoose={(reason) => setView({ reason })} />}
          </Answered>
        )}
        <AuctionsTable
          list={list}
          named={false}
          empty={
            filtered ? (
              <Empty
                title="No recorded auction is like that"
                action={
                  <Button variant="default" onClick={() => setView(ALL)}>
                    Clear the filters
                  </Button>
                }
              >
                Auctions are found a second or two after they were held.
              </Empty>
            ) : (
              <Empty
                title="No auction was held in this time"
                action={<Button renderRoot={(props) => <Link to="/" {...props} />}>Go to the overview</Button>}
              >
                {publisher
                  ? 'As soon as your pages ask for ads, what happened is explained here. The overview shows the tag.'
                  : 'As soon as you are asked for bids, what happened is explained here. The overview shows your health.'}
              </Empty>
            )
          }
        />
      </SimpleGrid>
    </Page>
  );
}
