import { Button, SimpleGrid, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useList } from '../../api/pages.ts';
import { useAnswer } from '../../api/queries.ts';
import { Answered, Empty } from '../../kit/answered.tsx';
import { BarList } from '../../kit/bar-list.tsx';
import { Section } from '../../kit/figure.tsx';
import { Page } from '../../kit/page.tsx';
import { useView } from '../../kit/use-view.ts';
import { fromOf, OUTCOMES } from './auction.ts';
import { AuctionFilters, type AuctionsView } from './auction-filters.tsx';
import { AuctionsTable } from './auctions-table.tsx';
import { ReasonsPanel } from './reasons-panel.tsx';

const ALL: AuctionsView = { publisher: '', dsp: '', outcome: '', reason: '', region: '', since: '24h' };

/** Recorded auctions by whose they were, how they ended and why; above them, what would fill more. */
export function AuctionsPage() {
  const [view, setView] = useView(ALL);
  const from = useMemo(() => fromOf(view.since), [view.since]);
  const whose = {
    ...(view.publisher !== '' && { publisher_id: view.publisher }),
    ...(view.dsp !== '' && { dsp_id: view.dsp }),
    ...(view.region !== '' && { region: view.region }),
    ...(from !== undefined && { from }),
  };
  const outcome = view.outcome === '' ? {} : { outcome: view.outcome };
  const query = { ...whose, ...outcome, ...(view.reason !== '' && { reason: view.reason }) };
  const list = useList('/api/auctions', query, { rows: (body) => body.auctions, cursor: true });
  const reasons = useAnswer(
    '/api/auctions/reasons',
    { params: { query: { ...whose, ...outcome } as never } },
    { keep: true },
  );
  const filtered = Object.entries(ALL).some(([name, initial]) => view[name] !== initial);
  const counted = OUTCOMES.map(({ value, label }) => ({
    id: value,
    label,
    count: list.rows.filter((row) => row.outcome === value).reduce((sum, { represents }) => sum + represents, 0),
    tone: value === 'filled' ? ('good' as const) : ('bad' as const),
  })).filter(({ count }) => count > 0);

  return (
    <Page
      title="Auctions"
      description="A fair sample of what was asked for: who was called, who bid, and why nothing came. In the sandbox all of them."
      calls={[
        { path: `/api/auctions?${new URLSearchParams(query as Record<string, string>)}` },
        { path: `/api/auctions/reasons?${new URLSearchParams(whose as Record<string, string>)}` },
      ]}
    >
      <AuctionFilters
        view={view}
        onView={setView}
        reasons={reasons.body?.reasons.map(({ reason }) => reason) ?? []}
        busy={list.isRefetching || reasons.isRefetching}
        onRefresh={() => {
          void list.refetch();
          void reasons.refetch();
        }}
      />
      <Stack gap="lg">
        {list.rows.length > 0 && (
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
            <Section title="Outcomes" description="Of the auctions below, each with the number that it stands for.">
              <BarList label="Auctions by outcome" bars={counted} />
            </Section>
            <Answered of={reasons}>
              {(body) => (
                <ReasonsPanel reasons={body} chosen={view.reason} onChoose={(reason) => setView({ reason })} />
              )}
            </Answered>
          </SimpleGrid>
        )}
        <AuctionsTable
          list={list}
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
                title="No auction was held yet"
                action={<Button renderRoot={(props) => <Link to="/start" {...props} />}>Get a first ad</Button>}
              >
                As soon as a publisher asks for an ad, what happened to the request is explained here.
              </Empty>
            )
          }
        />
      </Stack>
    </Page>
  );
}
