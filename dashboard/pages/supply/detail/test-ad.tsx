import { Alert, Anchor, Button, Code, Group, ScrollArea, Stack, Text } from '@mantine/core';
import { BeakerIcon } from '@primer/octicons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answerQuery, useAnswer } from '../../../api/queries.ts';
import { formatMs, words } from '../../../kit/format.ts';
import { Status } from '../../../kit/status.tsx';
import { askForTestAd, type Method, type TestAnswer, type TestedPublisher } from '../../../kit/test-request.ts';

const SHOWN_CHARACTERS = 4_000;
const SANDBOX = { sandbox: true };
const latestOf = (publisherId: string) => ({ params: { query: { publisher_id: publisherId, limit: 20 } } });
const auctionsOf = (publisherId: string) => answerQuery(SANDBOX, '/api/auctions', latestOf(publisherId));

/** One real ad request against the sandbox's demand, with what came back and its auction. */
export function TestAd({ publisher, method }: { readonly publisher: TestedPublisher; readonly method: Method }) {
  const { body: exchange } = useAnswer('/api/exchange');
  const client = useQueryClient();
  const ask = useMutation({
    mutationFn: async () => {
      const known = await client.fetchQuery({ ...auctionsOf(publisher.id), staleTime: 0 }).catch(() => null);
      const before = new Set(known?.body.auctions.map(({ id }) => id));
      return { before, answer: await askForTestAd(exchange!.edge_url, publisher, method) };
    },
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
      {ask.data !== undefined && <Answered {...ask.data} publisherId={publisher.id} />}
    </Stack>
  );
}

interface AnsweredProps {
  readonly answer: TestAnswer;
  readonly publisherId: string;
  readonly before: ReadonlySet<string>;
}

function Answered({ answer, publisherId, before }: AnsweredProps) {
  const { status, tookMs, filled, reason, body } = answer;
  return (
    <Stack gap="xs" role="status" aria-label="The answer">
      <Group gap="sm">
        <Status of={filled ? 'filled' : 'failed'} label={filled ? 'An ad came' : 'No ad came'} />
        <Text size="sm" className="figure">
          HTTP {status} in {formatMs(tookMs)}
        </Text>
        {reason !== null && <Text size="sm">{words(reason)}</Text>}
      </Group>
      <ItsAuction publisherId={publisherId} auctionId={answer.auctionId} before={before} />
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

interface ItsAuctionProps {
  readonly publisherId: string;
  readonly auctionId: string | null;
  /** Those that there were before: a tag's request has no id to be known by. */
  readonly before: ReadonlySet<string>;
}

/** The auction that the request had, and what it came to: records are written within a second or two of it. */
function ItsAuction({ publisherId, auctionId, before }: ItsAuctionProps) {
  const { body } = useAnswer('/api/auctions', latestOf(publisherId), { everyMs: 1_500, context: SANDBOX });
  const found = body?.auctions.find((one) => (auctionId === null ? !before.has(one.id) : one.auction_id === auctionId));
  if (found === undefined) {
    return (
      <Text size="sm" c="dimmed">
        Its auction is being written …
      </Text>
    );
  }
  return (
    <Text size="sm">
      {found.summary}{' '}
      <Anchor
        inherit
        renderRoot={(props) => (
          <Link to="/auctions/$id" params={{ id: found.id }} search={{ sandbox: true } as never} {...props} />
        )}
      >
        Open its auction
      </Anchor>
    </Text>
  );
}
