import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAnswer, useChange } from '../../api/queries.ts';
import { useDataContext } from '../../app/data-context.ts';
import { Page } from '../../kit/page.tsx';
import { useView } from '../../kit/use-view.ts';
import { exampleStrategy } from './example-strategy.ts';
import { FirstAd } from './first-ad.tsx';
import { NameForm } from './name-form.tsx';
import { Step } from './step.tsx';

/** From nothing to a first ad, in the sandbox. What was made stands in the URL, so that the path survives a reload. */
export function StartPage() {
  const { sandbox } = useDataContext();
  return (
    <Page
      title="A first ad"
      description="A publisher asks, a pool brings demand, a campaign bids, an auction decides. In the sandbox nothing is billed."
    >
      {sandbox ? <Path /> : <Begin />}
    </Page>
  );
}

function Begin() {
  return (
    <Alert color="brand" title="This path runs in the sandbox">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          The sandbox has publishers and bidders of its own from the start, and takes yours: the same API, the same
          auctions, no money. What you learn there you do again with live data, where the same forms are under Supply,
          Pools and Demand.
        </Text>
        <Button renderRoot={(props) => <Link to="/start" search={{ sandbox: true } as never} {...props} />}>
          Begin in the sandbox
        </Button>
      </Stack>
    </Alert>
  );
}

function Path() {
  const [made, setMade] = useView({ publisher: '', pool: '', dsp: '', ad: '' });
  const makePublisher = useChange('post', '/api/supply/sources');
  const makePool = useChange('post', '/api/supply/pools');
  const assign = useChange('put', '/api/supply/pools/{pool_id}/assign');
  const makeDemand = useChange('post', '/api/demand/sources');
  const upload = useChange('put', '/api/demand/sources/{id}/strategy');
  const subscribe = useChange('post', '/api/demand/sources/{id}/pools/{pool_id}');

  const publisher = useAnswer(
    '/api/supply/sources/{id}',
    { params: { path: { id: made.publisher } } },
    { enabled: made.publisher !== '' },
  ).body;
  const pool = useAnswer(
    '/api/supply/pools/{pool_id}',
    { params: { path: { pool_id: made.pool } } },
    { enabled: made.pool !== '' },
  ).body;
  const dsp = useAnswer(
    '/api/demand/sources/{id}',
    { params: { path: { id: made.dsp } } },
    { enabled: made.dsp !== '' },
  ).body;
  const sandboxPublisher = useAnswer('/api/supply/sources', { params: { query: { type: 'web', per_page: 1 } } }).body
    ?.publishers[0];

  return (
    <Stack gap="md" maw={1100}>
      <Stack gap="md" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
        <Step
          number={1}
          title="A publisher"
          what="A website, app or channel that asks for ads."
          current={made.publisher === ''}
          done={
            publisher && (
              <>
                <To to="/supply/$id" id={publisher.id} name={publisher.name} /> asks for ads on {publisher.domain}.
              </>
            )
          }
        >
          <NameForm
            label="Name"
            initial="My website"
            domain="news.example"
            button="Create publisher"
            onSubmit={async ({ name, domain }) => {
              const { body } = await makePublisher.mutateAsync({ body: { name, domain, type: 'web', sandbox: true } });
              setMade({ publisher: body.id });
            }}
          />
          {sandboxPublisher !== undefined && (
            <Text size="sm" c="dimmed">
              No time?{' '}
              <Skip
                onClick={() =>
                  setMade({ publisher: sandboxPublisher.id, pool: sandboxPublisher.pool_id ?? '', dsp: 'sandbox' })
                }
              />{' '}
              with the sandbox’s own publisher and bidders.
            </Text>
          )}
        </Step>
        <Step
          number={2}
          title="A pool"
          what="What demand subscribes to. Your publisher goes into it."
          current={made.publisher !== '' && made.pool === ''}
          done={
            pool && (
              <>
                <To to="/pools/$id" id={pool.id} name={pool.name} /> has {pool.publisher_count}{' '}
                {pool.publisher_count === 1 ? 'publisher' : 'publishers'}.
              </>
            )
          }
        >
          <NameForm
            label="Name"
            initial="My pool"
            button="Create pool"
            onSubmit={async ({ name }) => {
              const { body } = await makePool.mutateAsync({ body: { name } });
              await assign.mutateAsync({
                params: { path: { pool_id: body.id } },
                body: { publisher_id: made.publisher },
              });
              setMade({ pool: body.id });
            }}
          />
        </Step>
        <Step
          number={3}
          title="Demand"
          what="A buyer that leaves its campaign here, subscribed to your pool. It bids $2.50 for a thousand impressions."
          current={made.pool !== '' && made.dsp === ''}
          done={
            made.dsp === 'sandbox'
              ? 'The sandbox’s own bidders.'
              : dsp && (
                  <>
                    <To to="/demand/$id" id={dsp.id} name={dsp.name} /> buys from the pool.
                  </>
                )
          }
        >
          <NameForm
            label="Name"
            initial="My buyer"
            button="Create demand and its campaign"
            onSubmit={async ({ name }) => {
              const { body } = await makeDemand.mutateAsync({ body: { name, mode: 'delegate', sandbox: true } });
              await upload.mutateAsync({ params: { path: { id: body.id } }, body: exampleStrategy(body.id) });
              await subscribe.mutateAsync({ params: { path: { id: body.id, pool_id: made.pool } } });
              setMade({ dsp: body.id });
            }}
          />
        </Step>
        <Step
          number={4}
          title="The first ad"
          what="A real ad request to the edge, as your publisher would send it."
          current={made.dsp !== '' && publisher !== undefined}
        >
          {publisher !== undefined && <FirstAd publisher={publisher} onFilled={() => setMade({ ad: 'filled' })} />}
        </Step>
      </Stack>
      {made.ad === 'filled' && publisher !== undefined && (
        <Alert color="green" title="That is the whole exchange">
          <Group gap="sm">
            <Text size="sm">Put the tag into a page, or do the same with live data.</Text>
            <Button
              size="xs"
              renderRoot={(props) => (
                <Link
                  to="/supply/$id"
                  params={{ id: publisher.id }}
                  search={{ tab: 'integration' } as never}
                  {...props}
                />
              )}
            >
              Show its tag
            </Button>
            <Button
              size="xs"
              variant="default"
              renderRoot={(props) => <Link to="/supply/new" search={{ sandbox: undefined } as never} {...props} />}
            >
              Create a live publisher
            </Button>
          </Group>
        </Alert>
      )}
    </Stack>
  );
}

function To({ to, id, name }: { readonly to: string; readonly id: string; readonly name: string }) {
  return (
    <Anchor inherit underline="always" renderRoot={(props) => <Link to={to} params={{ id } as never} {...props} />}>
      {name}
    </Anchor>
  );
}

function Skip({ onClick }: { readonly onClick: () => void }) {
  return (
    <Anchor component="button" type="button" inherit underline="always" onClick={onClick}>
      Go on
    </Anchor>
  );
}
