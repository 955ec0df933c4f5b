import { Anchor, Button, Stack, Text } from '@mantine/core';
import { Link, Navigate } from '@tanstack/react-router';
import { useList } from '../../api/pages.ts';
import { Empty, Failed, Placeholder } from '../../kit/answered.tsx';
import { Section } from '../../kit/figure.tsx';
import { Page } from '../../kit/page.tsx';
import { Time } from '../../kit/time.tsx';
import { useView } from '../../kit/use-view.ts';
import { titleOf } from './creative.ts';
import { ScanMark } from './marks.tsx';
import { PATHS, useReader } from './reader.ts';

/** What the API takes of a search. */
const MOST_SEARCHED = 100;

/**
 * From a bid to the page of its creative: bids name a demand source and a `crid`, under which there may be several
 * versions.
 */
export function FindCreativePage() {
  const reader = useReader();
  const [{ dsp, crid }] = useView({ dsp: '', crid: '' });
  const query = { q: crid.slice(0, MOST_SEARCHED), ...(reader === 'account' && dsp !== '' && { dsp_id: dsp }) };
  const list = useList(PATHS[reader].list, query, { rows: (body) => body.creatives, enabled: crid !== '' });
  const found = list.rows.filter((one) => one.crid === crid && (dsp === '' || one.dsp_id === dsp));
  const [only] = found;
  if (only !== undefined && found.length === 1)
    return <Navigate to="/creatives/$id" params={{ id: only.id }} replace />;
  return (
    <Page title={crid === '' ? 'Creative' : crid} parent={{ to: '/creatives', label: 'Creatives' }}>
      {crid !== '' && list.isPending && <Placeholder lines={3} />}
      {list.error !== null && <Failed error={list.error} again={list.refetch} busy={list.isFetching} />}
      {(crid === '' || (!list.isPending && list.error === null)) && found.length === 0 && (
        <Empty
          title="Nothing is known of this creative"
          action={
            <Button variant="default" renderRoot={(props) => <Link to="/creatives" {...props} />}>
              All creatives
            </Button>
          }
        >
          A creative is known within seconds of its first auction, and forgotten when it was not seen for long.
        </Empty>
      )}
      {found.length > 1 && (
        <Section title="Versions" description="The demand source sent different markup under the same crid.">
          <Stack gap="xs">
            {found.map((one) => (
              <Text key={one.id} size="sm" component="div">
                <Anchor inherit renderRoot={(props) => <Link to="/creatives/$id" params={{ id: one.id }} {...props} />}>
                  {titleOf(one)} {one.fingerprint?.slice(0, 12)}
                </Anchor>{' '}
                <ScanMark of={one.scan_status} /> last seen <Time at={one.last_seen_at} ago />
              </Text>
            ))}
          </Stack>
        </Section>
      )}
    </Page>
  );
}
