import type { UseFormReturnType } from '@mantine/form';
import { ApiFault } from '../api/fault.ts';

/**
 * Shows what the API says of fields beside these fields (`creatives[0].vast_url` is the form's `creatives.0.vast_url`).
 * What is of no field that the form has comes back, to be shown above it; null when there is nothing left to say.
 */
export function showFieldFaults<V extends object>(
  form: UseFormReturnType<V, never> | UseFormReturnType<V>,
  fault: unknown,
): string | null {
  if (!(fault instanceof ApiFault)) return fault instanceof Error ? fault.message : String(fault);
  const values = form.getValues() as Record<string, unknown>;
  const left: string[] = [];
  let first: string | null = null;
  for (const { field, message } of fault.fields) {
    const path = field.replaceAll(/\[(\d+)\]/g, '.$1');
    if (path.split('.')[0]! in values) {
      form.setFieldError(path, message);
      first ??= path;
    } else left.push(`${field}: ${message}`);
  }
  // The first of them is gone to: in a long form it may be out of sight.
  if (first !== null) form.getInputNode(first)?.focus();
  if (fault.fields.length === 0) return fault.message;
  return left.length === 0 ? null : left.join(' ');
}
