import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useAnswer, useChange } from '../../../api/queries.ts';
import { Answered } from '../../../kit/answered.tsx';
import { confirm } from '../../../kit/confirm.tsx';
import { Section } from '../../../kit/figure.tsx';
import { tellDone, tellFault } from '../../../kit/tell.ts';
import type { Mode, Scope } from '../creative.ts';
import { MODE_WORDS, SCOPE_WORDS } from '../creative-words.ts';
import { useReader } from '../reader.ts';

const MODES = ['open', 'scanned', 'reviewed'] as const;
const STRICTNESS: Readonly<Record<Mode, number>> = { open: 0, scanned: 1, reviewed: 2 };

interface ModePanelProps {
  readonly scope: Scope;
  /** Of the reader, for the scope of an account that is not named. */
  readonly accountId: string;
}

/**
 * What is shown in a scope without a decision: what it is now, and setting it. A stricter mode stops sales, and is
 * asked about once.
 */
export function ModePanel({ scope, accountId }: ModePanelProps) {
  const own = useReader() !== 'account';
  const id = scope.kind === 'account' && scope.id === '' ? accountId : scope.id;
  const query = { scope: scope.kind, ...(id !== '' && { scope_id: id }) };
  const ofAccount = useAnswer(
    '/api/creatives/policies',
    { params: { query: scope.kind === 'exchange' ? {} : query } },
    { enabled: !own },
  );
  const ofSource = useAnswer('/api/source/creatives/policy', undefined, { enabled: own });
  const set = useChange('put', '/api/creatives/policies');
  const setOwn = useChange('put', '/api/source/creatives/policy');
  const mode: Mode | undefined = own
    ? ofSource.body?.mode
    : scope.kind === 'exchange'
      ? ofAccount.body?.exchange
      : ofAccount.body && (ofAccount.body.policies[0]?.mode ?? 'open');

  const asked = { ...(own ? ofSource : ofAccount), body: mode };

  const choose = async (next: Mode) => {
    try {
      if (own) await setOwn.mutateAsync({ body: { mode: next } });
      else {
        const named = scope.id === '' ? {} : { scope_id: scope.id };
        await set.mutateAsync({ body: { scope: scope.kind, ...named, mode: next } });
      }
      tellDone(`${MODE_WORDS[next].label} holds within a second.`);
    } catch (error) {
      tellFault(error);
    }
  };
  const ask = (next: Mode) => {
    if (mode === undefined || STRICTNESS[next] <= STRICTNESS[mode]) return choose(next);
    return confirm({
      title: `Set the mode to ${MODE_WORDS[next].label.toLowerCase()}?`,
      what: `${MODE_WORDS[next].what} Bids that do not meet it lose from the next second on.`,
      label: `Set to ${MODE_WORDS[next].label.toLowerCase()}`,
      danger: true,
      run: () => choose(next),
    });
  };

  return (
    <Section
      title={`Mode of the ${own ? 'supply source' : SCOPE_WORDS[scope.kind].toLowerCase()}`}
      description="What is shown without a decision. Wider scopes have modes of their own, which must be met too."
    >
      <Answered of={asked} lines={2}>
        {(held) => (
          <Stack gap="xs">
            <SegmentedControl
              aria-label="Mode"
              style={{ alignSelf: 'flex-start', maxWidth: '100%' }}
              data={MODES.map((value) => ({ value, label: MODE_WORDS[value].label }))}
              value={held}
              onChange={(next) => void ask(next as Mode)}
            />
            <Stack gap={2} component="dl" m={0}>
              {MODES.map((one) => (
                <Text key={one} size="sm" component="div" c={one === held ? undefined : 'dimmed'}>
                  <Text span inherit fw={600} component="dt" display="inline">
                    {MODE_WORDS[one].label}:
                  </Text>{' '}
                  <Text span inherit component="dd" m={0} display="inline">
                    {MODE_WORDS[one].what}
                  </Text>
                </Text>
              ))}
            </Stack>
          </Stack>
        )}
      </Answered>
    </Section>
  );
}
