import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useAnswer } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { formatMs } from '../../kit/format.ts';
import { Status } from '../../kit/status.tsx';
import { askForTestAd, type TestedPublisher, testRequest } from '../../kit/test-request.ts';

const AuctionView = lazy(async () => ({ default: (await import('../auctions/auction-view.tsx')).AuctionView }));

/** A real ad request, what came back, and its auction. */
export function FirstAd({
  publisher,
  onFilled,
}: {
  readonly publisher: TestedPublisher;
  readonly onFilled?: () => void;
}) {
  const { body: exchange } = useAnswer('/api/exchange');
  const ask = useMutation({
    mutationFn: async () => {
      const answer = await askForTestAd(exchange!.edge_url, publisher, 'openrtb');
      if (answer.filled) onFilled?.();
      return answer;
    },
  });
  const { data: answer } = ask;
  return (
    <Stack gap="md">
      <Group gap="sm">
        <Button loading={ask.isPending} disabled={exchange === undefined} onClick={() => ask.mutate()}>
          {answer === undefined ? 'Ask for an ad' : 'Ask again'}
        </Button>
        {answer !== undefined && (
          <Group gap="xs" role="status">
            <Status of={answer.filled ? 'filled' : 'failed'} label={answer.filled ? 'An ad came' : 'No ad came'} />
            <Text size="sm" className="figure">
              HTTP {answer.status} in {formatMs(answer.tookMs)}
            </Text>
          </Group>
        )}
      </Group>
      {ask.error !== null && (
        <Alert color="red" role="alert" title="The edge could not be reached">
          {ask.error.message}
        </Alert>
      )}
      {answer !== undefined && !answer.filled && (
        <Text size="sm" c="dimmed">
          What was just made is known at every edge within a second or two: ask again. The auction below says why.
        </Text>
      )}
      {answer?.filled && exchange !== undefined && (
        <InPage
          key={`page of ${answer.auctionId}`}
          edgeUrl={exchange.edge_url}
          publisher={publisher}
          openRtb={answer.body}
        />
      )}
      {answer !== undefined && (
        <ItsAuction key={answer.auctionId} publisherId={publisher.id} auctionId={answer.auctionId} />
      )}
    </Stack>
  );
}

/**
 * What a page would show: a frame of the edge, which asks for an ad of its own as a tag does. Markup that a buyer wrote
 * is no part of this document, whose policy would not let its styles through either.
 */
function InPage({ edgeUrl, publisher, openRtb }: InPageProps) {
  const { seatbid } = JSON.parse(openRtb) as { seatbid: { bid: { adm?: string; w?: number; h?: number }[] }[] };
  const bid = seatbid[0]?.bid[0];
  if (bid?.adm === undefined || bid.adm.startsWith('<?xml') || bid.adm.includes('<VAST')) return null;
  return (
    <Stack gap={4}>
      <iframe
        title="The ad in a page"
        sandbox="allow-scripts allow-popups"
        src={testRequest(edgeUrl, publisher, 'js-tag').url}
        width={300}
        height={250}
        style={{ border: '1px solid var(--line)', maxWidth: '100%' }}
      />
      <Text size="xs" c="dimmed">
        As a page with its tag shows it. The tag asks by itself, so this is one more auction, and one impression of the
        sandbox.
      </Text>
    </Stack>
  );
}

interface InPageProps {
  readonly edgeUrl: string;
  readonly publisher: TestedPublisher;
  readonly openRtb: string;
}

function ItsAuction({ publisherId, auctionId }: { readonly publisherId: string; readonly auctionId: string | null }) {
  const { body: list } = useAnswer(
    '/api/auctions',
    { params: { query: { publisher_id: publisherId, limit: 20 } } },
    { everyMs: 1_500 },
  );
  const found = list?.auctions.find((one) => one.auction_id === auctionId);
  const asked = useAnswer(
    '/api/auctions/{id}',
    { params: { path: { id: found?.id ?? '' } } },
    { enabled: found !== undefined },
  );
  if (found === undefined) {
    return (
      <Text size="sm" c="dimmed" role="status">
        Its auction is being written …
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text component="h3" fw={650} m={0}>
          Its auction
        </Text>
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => <Link to="/auctions/$id" params={{ id: found.id }} {...props} />}
        >
          Open it by itself
        </Button>
      </Group>
      <Answered of={asked} lines={6}>
        {(auction) => (
          <Suspense>
            <AuctionView auction={auction} />
          </Suspense>
        )}
      </Answered>
    </Stack>
  );
}
