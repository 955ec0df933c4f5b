import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { CheckCircleIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '../../../api/queries.ts';
import { Answered } from '../../../kit/answered.tsx';
import { Id } from '../../../kit/copy.tsx';
import { Section } from '../../../kit/figure.tsx';
import { Page } from '../../../kit/page.tsx';
import { TestBid } from '../detail/test-bid.tsx';
import { KeyPanel } from '../key-panel.tsx';

interface CreatedSourceProps {
  readonly id: string;
  /** What could not be done for it, in sentences. */
  readonly undone: readonly string[];
}

/** After it was created: its key, and what to do next with a source of its mode. */
export function CreatedSource({ id, undone }: CreatedSourceProps) {
  const source = useAnswer('/api/demand/sources/{id}', { params: { path: { id } } });
  const to = (tab: string) => (props: object) => <Link to="/demand/$id" params={{ id }} search={{ tab }} {...props} />;
  return (
    <Page
      title={source.body === undefined ? 'New demand source' : `${source.body.name} is created`}
      parent={{ to: '/demand', label: 'Demand' }}
      beside={<Id value={id} what="the id of the demand source" short />}
      calls={[{ path: `/api/demand/sources/${id}` }]}
    >
      <Stack gap="lg" maw={860}>
        {undone.map((sentence) => (
          <Alert key={sentence} color="yellow" role="alert">
            {sentence}
          </Alert>
        ))}
        <Answered of={source}>
          {(made) => (
            <>
              <KeyPanel id={id} name={made.name} revealed />
              {made.mode === 'delegate' ? (
                <Section title="Next: what it bids with" description="Until it has campaigns, it bids for nothing.">
                  <Text size="sm">
                    A campaign is which requests it wants, what it bids, and the creatives it shows. A strategy is a
                    document of many campaigns, with rules.
                  </Text>
                  <Group>
                    <Button
                      renderRoot={(props) => <Link to="/campaigns/new" search={{ dsp: id } as never} {...props} />}
                    >
                      Make a campaign
                    </Button>
                    <Button variant="default" renderRoot={to('strategy')}>
                      Write its strategy
                    </Button>
                    <Button variant="default" renderRoot={to('overview')}>
                      Later
                    </Button>
                  </Group>
                </Section>
              ) : (
                <>
                  <TestBid source={made} />
                  <Group>
                    <Button leftSection={<CheckCircleIcon size={16} />} renderRoot={to('overview')}>
                      Go to its page
                    </Button>
                    <Button variant="default" renderRoot={to('pools')}>
                      Choose pools
                    </Button>
                  </Group>
                </>
              )}
            </>
          )}
        </Answered>
      </Stack>
    </Page>
  );
}
