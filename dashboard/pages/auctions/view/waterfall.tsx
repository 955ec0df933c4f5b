import { Group, Text } from '@mantine/core';
import { formatCpm, formatMs, words } from '../../../kit/format.ts';
import { SourceName } from '../../../kit/source-name.tsx';
import { Status } from '../../../kit/status.tsx';
import type { Auction, Participant } from '../auction.ts';
import classes from './waterfall.module.css';

const LABELS: Readonly<Record<Participant['outcome'], string>> = {
  won: 'Won',
  lost: 'Lost',
  answered: 'No bid that counts',
  'not-called': 'Not asked',
};

/** The reason itself, where there is one: `Timeout`, `No bid`. */
function labelOf({ outcome, reason }: Participant): string {
  return reason === null || outcome === 'not-called' ? LABELS[outcome] : words(reason);
}

/** What it bid at most. */
function highestOf({ bids }: Participant): string {
  const prices = bids.flatMap(({ price_cpm: price }) => price ?? []);
  return prices.length === 0 ? '' : ` · bid ${formatCpm(Math.max(...prices))}`;
}

/** Every demand source of the pool as a bar as long as its answer took; those that were not asked, with why. */
export function Waterfall({ auction, named }: { readonly auction: Auction; readonly named: boolean }) {
  const whole = Math.max(1, auction.took_ms, ...auction.demand.map(({ latency_ms: ms }) => ms ?? 0));
  return (
    <ul className={classes.rows} aria-label="Demand sources of the auction">
      {auction.demand.map((one) => (
        <li key={one.dsp_id} className={classes.row}>
          <Text size="sm" component="div" truncate>
            <SourceName of="dsp" id={one.dsp_id} known={named} />
          </Text>
          <div className={classes.track} aria-hidden="true">
            {one.latency_ms !== null && one.latency_ms !== undefined && (
              <div
                className={classes.bar}
                data-outcome={one.outcome}
                data-late={one.reason === 'timeout' || undefined}
                style={{ width: `${(one.latency_ms / whole) * 100}%` }}
              />
            )}
          </div>
          <Text size="sm" ta="right" className="figure">
            {one.latency_ms === null ? '—' : formatMs(one.latency_ms)}
          </Text>
          <Group className={classes.said} gap="xs">
            <Status of={one.outcome} label={labelOf(one)} />
            <Text size="xs" c="dimmed">
              {one.mode === 'delegate' ? 'Delegate, evaluated here' : 'Bidder'}
              {highestOf(one)}
              {one.why !== null && ` · ${one.why}`}
              {one.remedy !== null && ` ${one.remedy}`}
            </Text>
          </Group>
        </li>
      ))}
    </ul>
  );
}
