import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useAnswer } from '../../../api/queries.ts';
import { Answered } from '../../../kit/answered.tsx';
import { Snippet } from '../../../kit/copy.tsx';
import { Section } from '../../../kit/figure.tsx';
import { METHODS, type Method } from '../../../kit/test-request.ts';
import type { Publisher } from '../publisher.ts';
import { METHOD_NAMES, snippetOf } from './snippets.ts';
import { TestAd } from './test-ad.tsx';

interface IntegrationTabProps {
  readonly publisher: Publisher;
  readonly method: Method;
  readonly onMethod: (method: Method) => void;
}

/** What the publisher puts into its page, app or server, and a trial of it. */
export function IntegrationTab({ publisher, method, onMethod }: IntegrationTabProps) {
  const exchange = useAnswer('/api/exchange');
  return (
    <Section
      title="Integration"
      description="Choose how this publisher asks for ads. One publisher may use several of them at once."
    >
      <SegmentedControl
        aria-label="Integration method"
        data={METHODS.map((value) => ({ value, label: METHOD_NAMES[value] }))}
        value={method}
        onChange={(value) => onMethod(value as Method)}
        style={{ alignSelf: 'flex-start', maxWidth: '100%', overflowX: 'auto' }}
      />
      <Answered of={exchange}>
        {({ edge_url: edgeUrl }) => {
          const { title, use, text } = snippetOf(method, edgeUrl, publisher);
          return (
            <Stack gap="sm">
              <Text fw={600} size="sm">
                {title}
              </Text>
              <Text size="sm" c="dimmed">
                {use}
              </Text>
              <Snippet text={text} what="the snippet" />
            </Stack>
          );
        }}
      </Answered>
      <TestAd key={method} publisher={publisher} method={method} />
    </Section>
  );
}

export function isMethod(value: string): value is Method {
  return METHODS.some((one) => one === value);
}
