import { Code, List, Stack, Text } from '@mantine/core';
import { Copy, Snippet } from '../../../kit/copy.tsx';
import { Section } from '../../../kit/figure.tsx';
import type { Setting } from './setting.ts';

const EXAMPLE = 'https://app.example';

/** Which other origins may call the API from a browser, and how that is changed. */
export function CorsOrigins({ settings }: { readonly settings: readonly Setting[] }) {
  const settingOf = (wanted: string) => settings.find(({ name }) => name === wanted)?.value ?? null;
  const domain = settings.find(({ name }) => name === 'EXCHANGE_DOMAIN');
  const own = settingOf('PUBLIC_BASE_URL');
  const origins = (settingOf('CORS_ORIGINS') ?? '').split(', ').filter((origin) => origin !== '');
  return (
    <Section
      title="CORS origins"
      description="Pages of these origins may call the API from a browser, with the session of whoever looks at them."
    >
      <Stack gap="sm">
        {origins.length === 0 ? (
          <Text size="sm">
            No other origin is allowed. The API's own origin{own !== null && <> ({own})</>} always is.
          </Text>
        ) : (
          <List listStyleType="none" spacing={4} aria-label="Allowed origins">
            {origins.map((origin) => (
              <List.Item key={origin}>
                <Code style={{ overflowWrap: 'anywhere' }}>{origin}</Code> <Copy value={origin} what={origin} />
              </List.Item>
            ))}
          </List>
        )}
        {domain?.is_default === false && (
          <Text size="sm">
            Pages of other hosts of the domain of <Code>EXCHANGE_DOMAIN</Code> ({domain.value}) may call it with an API
            key. Hosts of ads and of creatives never may.
          </Text>
        )}
        <Text size="sm">
          To change them, set <Code>CORS_ORIGINS</Code> in the environment of every process with the role{' '}
          <Code>management</Code>, commas between whole origins (scheme, host and port, no path), and restart it:
        </Text>
        <Snippet
          text={`CORS_ORIGINS=${[...origins, EXAMPLE].filter((one, at, all) => all.indexOf(one) === at).join(',')}`}
          what="the setting"
        />
      </Stack>
    </Section>
  );
}
