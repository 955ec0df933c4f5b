import Type from 'typebox';
import { monthOf, reportWindowOfMonth } from '#actors/ledger/report/month';
import type { ReportWindow } from '#actors/ledger/report/period';
import { REPORT_PERIODS } from '#actors/ledger/report/source-report';
import { type StatementStatus, statusOf } from '#actors/ledger/report/statement';
import { ApiError } from '#gateways/errors';

export const ReportPeriod = Type.Enum([...REPORT_PERIODS]);
export const defaultReportPeriod = '7d';

export const ReportQuery = Type.Object({
  period: Type.Optional(
    Type.Enum([...REPORT_PERIODS], { default: defaultReportPeriod, description: 'The time up to now.' }),
  ),
});

export const monthForm = '^\\d{4}-(0[1-9]|1[0-2])$';

/** A month: `yyyy-mm`. */
export const Month = Type.String({ pattern: monthForm, examples: ['2026-03'] });

export const BillingQuery = Type.Object({
  month: Type.Optional(
    Type.String({ pattern: monthForm, description: 'A month as YYYY-MM, in UTC; the current one by default.' }),
  ),
});

export interface BilledMonth {
  /** The month: `yyyy-mm`. */
  readonly month: string;
  readonly status: StatementStatus;
  readonly window: ReportWindow;
}

/** The month that the request names in `field`; INVALID_PARAMS for one that has not begun. */
export function billedMonth(requestedMonth: string | undefined, nowMs: number, field = 'month'): BilledMonth {
  const current = monthOf(nowMs);
  const month = requestedMonth ?? current;
  const window = reportWindowOfMonth(month);
  if (window === null || month > current) {
    throw new ApiError('INVALID_PARAMS', `${field} must be YYYY-MM and have begun.`, field);
  }
  return { month, status: statusOf(month, current), window };
}
