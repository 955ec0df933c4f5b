import { formatCount, formatRatio } from '../../../kit/format.ts';
import classes from './outcome-bar.module.css';

interface OutcomeBarProps {
  readonly won: number;
  readonly lost: number;
  readonly invalid: number;
}

/** Won, lost and not valid as parts of one bar, with their numbers below it. */
export function OutcomeBar({ won, lost, invalid }: OutcomeBarProps) {
  const whole = won + lost + invalid;
  const parts = [
    { name: 'won', label: 'Won', count: won },
    { name: 'lost', label: 'Lost', count: lost },
    { name: 'invalid', label: 'Not valid', count: invalid },
  ];
  return (
    <div>
      <div className={classes.bar} aria-hidden="true">
        {parts
          .filter(({ count }) => count > 0)
          .map(({ name, count }) => (
            <div key={name} className={classes.part} data-part={name} style={{ flexGrow: count }} />
          ))}
      </div>
      <dl className={classes.legend}>
        {parts.map(({ name, label, count }) => (
          <div key={name} className={classes.entry} data-part={name}>
            <dt>{label}</dt>
            <dd className="figure">
              {formatCount(count)} <span>{whole > 0 && formatRatio(count / whole)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
