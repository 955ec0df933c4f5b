import { Alert, Anchor, Button, Code, Group, ScrollArea, Stack, Text } from '@mantine/core';
import { BeakerIcon } from '@primer/octicons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '../../../api/queries.ts';
import { formatMs, words } from '../../../kit/format.ts';
import { Status } from '../../../kit/status.tsx';
import { askForTestAd, type Method, type TestAnswer, type TestedPublisher } from '../../../kit/test-request.ts';

const SHOWN_CHARACTERS = 4_000;

/** One real ad request against the sandbox's demand, with what came back and its auction. */
export function TestAd({ publisher, method }: { readonly publisher: TestedPublisher; readonly method: Method }) {
  const { body: exchange } = useAnswer('/api/exchange');
  const ask = useMutation({
    mutationFn: () => askForTestAd(exchange!.edge_url, publisher, method),
  });
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Button
          leftSection={<BeakerIcon size={14} />}
          variant="light"
          disabled={exchange === undefined}
          loading={ask.isPending}
          onClick={() => ask.mutate()}
        >
          Test it now
        </Button>
        <Text size="xs" c="dimmed">
          Asks the edge for an ad of the sandbox’s demand. Nothing is billed.
        </Text>
      </Group>
      {ask.error !== null && (
        <Alert color="red" title="The edge could not be reached" role="alert">
          {ask.error.message}: is {exchange?.edge_url} the address that browsers know it by?
        </Alert>
      )}
      {ask.data !== undefined && <Answered answer={ask.data} publisherId={publisher.id} />}
    </Stack>
  );
}

function Answered({ answer, publisherId }: { readonly answer: TestAnswer; readonly publisherId: string }) {
  const { status, tookMs, filled, reason, body } = answer;
  return (
    <Stack gap="xs" role="status" aria-label="The answer">
      <Group gap="sm">
        <Status of={filled ? 'filled' : 'failed'} label={filled ? 'An ad came' : 'No ad came'} />
        <Text size="sm" className="figure">
          HTTP {status} in {formatMs(tookMs)}
        </Text>
        {reason !== null && <Text size="sm">{words(reason)}</Text>}
        <LatestAuction publisherId={publisherId} auctionId={answer.auctionId} />
      </Group>
      {body !== '' && (
        <ScrollArea.Autosize mah={220} type="auto" viewportProps={{ tabIndex: 0 }}>
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {body.length > SHOWN_CHARACTERS ? `${body.slice(0, SHOWN_CHARACTERS)} …` : body}
          </Code>
        </ScrollArea.Autosize>
      )}
    </Stack>
  );
}

/** The auction that the request had: records are written within a second or two of it. */
function LatestAuction({
  publisherId,
  auctionId,
}: {
  readonly publisherId: string;
  readonly auctionId: string | null;
}) {
  const { body } = useAnswer(
    '/api/auctions',
    { params: { query: { publisher_id: publisherId, limit: 20 } } },
    { everyMs: 1_500, context: { sandbox: true } },
  );
  const found = body?.auctions.find((one) => auctionId === null || one.auction_id === auctionId);
  if (found === undefined) {
    return (
      <Text size="sm" c="dimmed">
        Its auction is being written …
      </Text>
    );
  }
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link to="/auctions/$id" params={{ id: found.id }} search={{ sandbox: true } as never} {...props} />
      )}
    >
      Open its auction
    </Anchor>
  );
}
