import { Alert, Button, Group, List, Text } from '@mantine/core';
import { useAnswer, useChange } from '../../../api/queries.ts';
import { Answered } from '../../../kit/answered.tsx';
import { Snippet } from '../../../kit/copy.tsx';
import { Section } from '../../../kit/figure.tsx';
import { words } from '../../../kit/format.ts';
import { Status } from '../../../kit/status.tsx';
import { tellDone, tellFault } from '../../../kit/tell.ts';
import { Time } from '../../../kit/time.tsx';
import type { Publisher } from '../publisher.ts';

/** What buyers may stumble over, as the API names it. */
const WARNINGS: Readonly<Record<string, string>> = {
  relationship_differs: 'DIRECT or RESELLER in the file is not what the seller type in the settings says.',
  certification_id_differs: 'The certification authority id in the file is not that of the exchange.',
  owner_domain_differs: 'OWNERDOMAIN in the file is not the domain that sellers.json has for this publisher.',
};

/** Whether the publisher's ads.txt names the exchange, the exact line that it lacks, and a check at once. */
export function AdsTxtTab({ publisher: { id, domain } }: { readonly publisher: Publisher }) {
  const asked = useAnswer('/api/supply/sources/{id}/verification', { params: { path: { id } } });
  const verify = useChange('post', '/api/supply/sources/{id}/verify', { touches: [`/api/supply/sources`] });
  const check = async () => {
    try {
      const { body } = await verify.mutateAsync({ params: { path: { id } } });
      if (body.status === 'verified' && body.error === null) tellDone(`${domain} is verified.`);
      else
        tellDone(
          body.error === null ? `Checked: ${words(body.reason ?? body.status)}.` : 'Nothing could be found out.',
        );
    } catch (error) {
      tellFault(error);
    }
  };
  return (
    <Section
      title="ads.txt"
      description="Buyers pay for inventory whose owner names the exchange. Pools may take verified publishers alone."
      actions={
        <Button size="xs" variant="default" loading={verify.isPending} onClick={() => void check()}>
          Check again
        </Button>
      }
    >
      <Answered of={asked}>
        {(body) => (
          <>
            <Group gap="sm">
              <Status of={body.status} />
              <Text size="sm" c="dimmed">
                Checked <Time at={body.checked_at} ago none="never" />
                {body.next_check_at !== null && (
                  <>
                    , again <Time at={body.next_check_at} ago />
                  </>
                )}
              </Text>
            </Group>
            {body.reason !== null && (
              <Alert color="red" title={words(body.reason)}>
                {body.message}
                {body.file_url !== null && ` (${body.file_url})`}
              </Alert>
            )}
            {body.error !== null && (
              <Alert color="yellow" title="The last check found nothing out">
                {body.error} What was found before it, if anything, counts for seven days.
              </Alert>
            )}
            <div>
              <Text size="sm" mb={6} style={{ overflowWrap: 'anywhere' }}>
                {body.status === 'verified'
                  ? 'This line was found:'
                  : `Add this line to ${body.file_url ?? `https://${body.domain ?? domain}/ads.txt`}:`}
              </Text>
              <Snippet text={body.expected_line} what="the line" />
            </div>
            {body.warnings.length > 0 && (
              <Alert color="yellow" title="Worth a look">
                <List size="sm">
                  {body.warnings.map((warning) => (
                    <List.Item key={warning}>{WARNINGS[warning] ?? words(warning)}</List.Item>
                  ))}
                </List>
              </Alert>
            )}
          </>
        )}
      </Answered>
    </Section>
  );
}
