import { Badge, Button, Text, UnstyledButton } from '@mantine/core';
import { CheckIcon, ChevronRightIcon, XIcon } from '@primer/octicons-react';
import { useState } from 'react';
import classes from './conditions.module.css';
import type { Judged } from './simulation.ts';

interface CampaignReasonsProps {
  readonly of: Judged;
  /** It is the one that bids. */
  readonly bids: boolean;
  /** The rule by which it bids. */
  readonly rule: string | null;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** A list of values may have thousands of characters. */
const LONGEST = 240;
const MOST_ON_HOVER = 2_000;

type Condition = Judged['targeting'][number];

/** A campaign may have a thousand rules: these are shown first. */
const FIRST_RULES = 20;

/** One campaign: whether it could bid, and each demand with what the request has there. */
export function CampaignReasons({ of, bids, rule, open, onToggle }: CampaignReasonsProps) {
  const { campaign, matched, reason, targeting, rules } = of;
  const [all, setAll] = useState(false);
  // What held comes first: it is what one looks for among many.
  const ordered = [...rules].sort((a, b) => Number(b.matched) - Number(a.matched));
  const shown = all ? ordered : ordered.slice(0, FIRST_RULES);
  return (
    <div className={classes.campaign}>
      <UnstyledButton className={classes.head} aria-expanded={open} onClick={onToggle}>
        <span className={classes.chevron} data-open={open || undefined} aria-hidden="true">
          <ChevronRightIcon size={16} />
        </span>
        <span className={classes.name}>
          <Text span fw={600} size="sm" truncate title={campaign}>
            {campaign}
          </Text>
          <Text span size="xs" c="dimmed" lineClamp={2}>
            {reason}
          </Text>
        </span>
        {bids ? (
          <Badge color="green">Bids</Badge>
        ) : (
          <Badge color={matched ? 'blue' : 'gray'}>{matched ? 'Could bid' : 'Cannot'}</Badge>
        )}
      </UnstyledButton>
      {open && (
        <div className={classes.body}>
          {targeting.length === 0 && rules.length === 0 && (
            <Text size="sm" c="dimmed">
              It demands nothing of the request.
            </Text>
          )}
          {targeting.length > 0 && <Demands title="Targeting" conditions={targeting} all />}
          {shown.map(({ rule_id, matched: holds, conditions }) => (
            <Demands
              key={rule_id}
              title={`Rule ${rule_id}`}
              conditions={conditions}
              state={rule_id === rule ? 'Sets the price' : holds ? 'Matches' : 'Does not match'}
              good={holds}
            />
          ))}
          {ordered.length > shown.length && (
            <Button size="compact-xs" variant="subtle" onClick={() => setAll(true)}>
              Show all {ordered.length} rules
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

interface DemandsProps {
  readonly title: string;
  readonly conditions: readonly Condition[];
  readonly state?: string;
  readonly good?: boolean;
  readonly all?: boolean;
}

function Demands({ title, conditions, state, good = false, all = false }: DemandsProps) {
  const holding = conditions.filter(({ matched }) => matched).length;
  return (
    <div className={classes.demands}>
      <div className={classes.title}>
        <Text span size="sm" fw={600} truncate title={title}>
          {title}
        </Text>
        {state !== undefined && (
          <Badge size="sm" color={good ? 'green' : 'gray'}>
            {state}
          </Badge>
        )}
        <Text span size="xs" c="dimmed" className="figure">
          {conditions.length === 0 ? (all ? '' : 'no conditions: always') : `${holding} of ${conditions.length} hold`}
        </Text>
      </div>
      {conditions.length > 0 && (
        <table className={classes.table} aria-label={title}>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">Holds</th>
              <th scope="col">Demanded</th>
              <th scope="col">The request has</th>
            </tr>
          </thead>
          <tbody>
            {conditions.map(({ field, operator, value, actual, matched }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order
              <tr key={index} data-holds={matched}>
                <td className={classes.mark}>
                  {matched ? (
                    <CheckIcon size={16} aria-label="Holds" />
                  ) : (
                    <XIcon size={16} aria-label="Does not hold" />
                  )}
                </td>
                <td>
                  <code>{field}</code> <span className={classes.operator}>{operator.replaceAll('_', ' ')}</span>{' '}
                  <code title={value.length > LONGEST ? value.slice(0, MOST_ON_HOVER) : undefined}>{short(value)}</code>
                </td>
                <td>
                  <span className={classes.has}>has</span> <code>{shownOf(actual)}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function shownOf(actual: unknown): string {
  if (actual === null || actual === undefined) return 'nothing';
  if (Array.isArray(actual)) return actual.length === 0 ? 'nothing' : actual.map(String).join(', ');
  return typeof actual === 'object' ? JSON.stringify(actual) : String(actual);
}

function short(value: string): string {
  return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
}
