import { hoursBetween, type ReportWindow } from './period.ts';

const form = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** The UTC month of an instant, as `yyyy-mm`. */
export function monthOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7);
}

/** The whole of a UTC month, `yyyy-mm`; null when it is written otherwise. */
export function reportWindowOfMonth(month: string): ReportWindow | null {
  const match = form.exec(month);
  if (match === null) return null;
  const [, year, number] = match;
  const isLast = number === '12';
  const nextYear = String(Number(year) + (isLast ? 1 : 0)).padStart(4, '0');
  const nextNumber = String(isLast ? 1 : Number(number) + 1).padStart(2, '0');
  return hoursBetween(startOfMonth(year!, number!), startOfMonth(nextYear, nextNumber));
}

function startOfMonth(year: string, number: string): number {
  return Date.parse(`${year}-${number}-01T00:00:00Z`);
}
