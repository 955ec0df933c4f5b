import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

export const RULES_FILE = 'deploy/prometheus/alerts.yml';

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook_url: string };
}

/** The alert rules of deploy/prometheus. */
export async function alertRules(): Promise<AlertRule[]> {
  const { groups } = parse(await readFile(RULES_FILE, 'utf8')) as { groups: { rules: AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}
