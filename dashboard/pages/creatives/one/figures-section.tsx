import { Figure, Figures, Section } from '../../../kit/figure.tsx';
import { formatCount } from '../../../kit/format.ts';
import { Money } from '../../../kit/money.tsx';
import { type Period, PeriodPicker } from '../../../kit/period-picker.tsx';
import type { Reviewed } from '../creative.ts';

interface FiguresSectionProps {
  readonly of: Reviewed;
  readonly period: Period;
  readonly onPeriod: (period: Period) => void;
}

/**
 * What was sold under the creative's `crid`, by the books; refusals are what edges told. Nothing where the books are
 * another's.
 */
export function FiguresSection({ of: { figures, refusals, versions }, period, onPeriod }: FiguresSectionProps) {
  if (figures === null) return null;
  return (
    <Section
      title="Figures"
      description={versions.length > 0 && 'Of all versions under this crid together: the books know creatives by it.'}
      actions={<PeriodPicker period={period} onPeriod={onPeriod} />}
    >
      <Figures cols={5} bare>
        <Figure label="Bids" value={formatCount(figures.bids)} />
        <Figure label="Wins" value={formatCount(figures.wins)} />
        <Figure label="Impressions" value={formatCount(figures.impressions)} />
        <Figure label="Spend" value={<Money cents={figures.spend_cents} />} hint="Before the fee" />
        <Figure
          label="Refused"
          value={formatCount(refusals)}
          hint="Bids that lost because it was blocked or not approved, since it was first seen"
        />
      </Figures>
    </Section>
  );
}
