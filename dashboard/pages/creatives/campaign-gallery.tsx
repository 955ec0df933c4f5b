import { Button, Checkbox, Group, Paper, Select, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useList } from '../../api/pages.ts';
import { Empty, Failed } from '../../kit/answered.tsx';
import { SearchBox } from '../../kit/search-box.tsx';
import { SourceSelect } from '../../kit/source-select.tsx';
import { useView } from '../../kit/use-view.ts';
import { creativesOf, FORMATS, formatOf } from '../campaigns/campaign.ts';
import { CreativeCard, warningsOf } from '../campaigns/creative-card.tsx';
import { NoneFound } from './none-found.tsx';

const FORMAT_CHOICES = Object.entries(FORMATS).map(([value, label]) => ({ value, label }));
const CARDS_AT_A_TIME = 24;

/** The creatives of all campaigns, as they look. Nothing that is looked at here is counted. */
export default function CampaignGallery() {
  const [view, setView] = useView({ q: '', dsp: '', format: '', warnings: '', cards: String(CARDS_AT_A_TIME) });
  const query = { ...(view.q !== '' && { q: view.q }), ...(view.dsp !== '' && { dsp_id: view.dsp }) };
  const list = useList('/api/campaigns', query, { rows: (body) => body.campaigns });
  const all = list.rows.flatMap((campaign) => creativesOf(campaign).map((creative) => ({ campaign, creative })));
  const found = all.filter(
    ({ campaign, creative }) =>
      (view.format === '' || formatOf(creative) === view.format) &&
      (view.warnings === '' || warningsOf(campaign, creative.creative_id).length > 0),
  );
  const most = Math.max(CARDS_AT_A_TIME, Number(view.cards) || 0);
  const filtered = Object.keys(query).length > 0 || view.format !== '' || view.warnings !== '';
  const more = () => {
    setView({ cards: String(most + CARDS_AT_A_TIME) });
    if (list.hasNextPage && found.length < most + CARDS_AT_A_TIME) void list.fetchNextPage();
  };

  return (
    <Stack gap="lg">
      <Group gap="xs">
        <SearchBox label="Search by campaign" value={view.q} onSearch={(q) => setView({ q })} />
        <SourceSelect
          of="dsp"
          mode="delegate"
          ariaLabel="Demand source"
          placeholder="Demand source"
          size="xs"
          clearable
          value={view.dsp}
          onChange={(dsp) => setView({ dsp })}
        />
        <Select
          aria-label="Format"
          placeholder="Format"
          size="xs"
          w={130}
          clearable
          data={FORMAT_CHOICES}
          value={view.format === '' ? null : view.format}
          onChange={(format) => setView({ format: format ?? '' })}
        />
        <Checkbox
          label="With warnings"
          size="xs"
          checked={view.warnings !== ''}
          onChange={({ currentTarget }) => setView({ warnings: currentTarget.checked ? 'true' : '' })}
        />
      </Group>
      {list.error !== null && (
        <Failed error={list.error} again={list.refetch} busy={list.isFetching} stale={all.length > 0} />
      )}
      {list.isPending && (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} role="group" aria-busy="true" aria-label="Loading">
          {['a', 'b', 'c'].map((one) => (
            <Skeleton key={one} height={280} />
          ))}
        </SimpleGrid>
      )}
      {!list.isPending && list.error === null && found.length === 0 && (
        <Paper>
          {filtered ? <NoneFound onClear={() => setView({ q: '', dsp: '', format: '', warnings: '' })} /> : <None />}
        </Paper>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
        {found.slice(0, most).map(({ campaign, creative }) => (
          <CreativeCard key={`${campaign.id} ${creative.creative_id}`} campaign={campaign} creative={creative} named />
        ))}
      </SimpleGrid>
      {(found.length > most || list.hasNextPage) && (
        <Group justify="center">
          <Button variant="default" loading={list.isFetchingNextPage} onClick={more}>
            Show more
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function None() {
  return (
    <Empty
      title="There is no creative yet"
      action={<Button renderRoot={(props) => <Link to="/campaigns/new" {...props} />}>New campaign</Button>}
    >
      Creatives are parts of campaigns: make one, or upload a strategy that brings some.
    </Empty>
  );
}
