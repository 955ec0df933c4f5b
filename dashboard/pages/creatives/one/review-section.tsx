import { Anchor, Button, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useChange } from '../../../api/queries.ts';
import { confirm } from '../../../kit/confirm.tsx';
import { Section } from '../../../kit/figure.tsx';
import { ScrollBox } from '../../../kit/scroll-box.tsx';
import { tellDone, tellFault } from '../../../kit/tell.ts';
import { Time } from '../../../kit/time.tsx';
import { type Seen, type Standing, titleOf } from '../creative.ts';
import { MODE_WORDS, SCOPE_WORDS, SUBJECT_WORDS } from '../creative-words.ts';
import { DecisionMark, StandingMark } from '../marks.tsx';
import { useReader } from '../reader.ts';
import { useDecisions } from '../use-decisions.ts';
import { scopeName } from './scope-name.ts';

type Cause = NonNullable<Standing['cause']>;
type OwnDecision = Seen['decisions'][number];

/** Where the creative may be shown, what causes it, and what was decided about the creative itself. */
export function ReviewSection({ of: creative }: { readonly of: Seen }) {
  const reader = useReader();
  const { withdraw } = useDecisions();
  const remove = useChange('delete', '/api/creatives/rules/{rule_id}');
  const removeOwn = useChange('delete', '/api/source/creatives/rules/{rule_id}');
  const { review, decisions } = creative;
  const standingOf = (scope: string, id: string) => review.find((one) => one.scope === scope && one.scope_id === id);
  const nameOf = (scope: OwnDecision['scope'], id: string) => {
    const found = standingOf(scope, id);
    return found === undefined ? SCOPE_WORDS[scope] : scopeName(found);
  };

  const takeBack = (what: string, run: () => Promise<unknown>) =>
    confirm({
      title: 'Take the decision back?',
      what: `${what} of ${titleOf(creative)} no longer holds from the next second on. What else was decided still does.`,
      label: 'Take back',
      run: async () => {
        try {
          await run();
          tellDone('The decision is taken back.');
        } catch (error) {
          tellFault(error);
        }
      },
    });
  const backButton = (cause: Cause) => {
    const { rule_id: ruleId } = cause;
    if (ruleId === null || standingOf(cause.scope, cause.scope_id)?.may_decide !== true) return null;
    const run = () =>
      (reader === 'account' ? remove : removeOwn).mutateAsync({ params: { path: { rule_id: ruleId } } });
    return (
      <Button size="compact-xs" variant="default" onClick={() => takeBack(causeWords(cause, nameOf), run)}>
        Take back
      </Button>
    );
  };

  return (
    <Section
      title="Where it is shown"
      description="A block in a wider scope holds in all within; each scope's own mode must be met."
    >
      <ScrollBox>
        <Table aria-label="Where it is shown">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Scope</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Mode</Table.Th>
              <Table.Th>Because</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {review.map((standing) => (
              <Table.Tr key={`${standing.scope} ${standing.scope_id}`}>
                <Table.Td>
                  <Text size="sm" maw={260} truncate title={scopeName(standing)}>
                    {scopeName(standing)}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <StandingMark of={standing.state} />
                </Table.Td>
                <Table.Td>{MODE_WORDS[standing.mode].label}</Table.Td>
                <Table.Td>
                  <Text size="sm" maw={420} style={{ overflowWrap: 'anywhere' }} component="div">
                    {standing.cause === null ? (
                      'Nothing is against it.'
                    ) : (
                      <>
                        {causeWords(standing.cause, nameOf)}.{' '}
                        {standing.cause.reason !== null &&
                          standing.cause.reason !== '' &&
                          `“${standing.cause.reason}” `}
                        {standing.cause.scope === standing.scope && standing.cause.scope_id === standing.scope_id
                          ? backButton(standing.cause)
                          : null}
                      </>
                    )}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
      {decisions.length > 0 && (
        <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Decisions about it">
          {decisions.map((one) => (
            <li key={`${one.scope} ${one.scope_id}`}>
              <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
                <DecisionMark of={{ decisions: [one] }} /> {nameOf(one.scope, one.scope_id)},{' '}
                <Time at={one.decided_at} ago />
                {one.reason !== '' && `: “${one.reason}”`}{' '}
                {standingOf(one.scope, one.scope_id)?.may_decide === true && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    onClick={() =>
                      takeBack(one.decision === 'block' ? 'The block' : 'The approval', () =>
                        withdraw(creative.id, { kind: one.scope, id: one.scope_id }),
                      )
                    }
                  >
                    Take back
                  </Button>
                )}
              </Text>
            </li>
          ))}
        </Stack>
      )}
      {reader !== 'dsp' && (
        <Anchor size="sm" renderRoot={(props) => <Link to="/creatives/review" {...props} />}>
          Set modes, and review one after the other
        </Anchor>
      )}
    </Section>
  );
}

function causeWords(cause: Cause, nameOf: (scope: Cause['scope'], id: string) => string): string {
  const where = nameOf(cause.scope, cause.scope_id);
  if (cause.kind === 'mode' || cause.subject === null) return `The mode of ${where} does not admit it`;
  const subject = SUBJECT_WORDS[cause.subject as keyof typeof SUBJECT_WORDS] ?? cause.subject;
  const value = cause.subject === 'creative' || cause.value === null ? '' : ` ${cause.value}`;
  return `A decision about ${subject === 'Creative' ? 'this creative' : subject.toLowerCase()}${value} (${where})`;
}
