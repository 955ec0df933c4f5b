import type { UseFormReturnType } from '@mantine/form';

/**
 * Fills a form with what was saved. A field into which something else was typed since `sent` was sent keeps it, and is
 * not saved yet.
 */
export function fillSaved<V extends object>(form: UseFormReturnType<V>, sent: V, saved: V): void {
  const now = form.getValues();
  const filled = { ...saved };
  for (const name of Object.keys(saved) as (keyof V)[]) {
    if (JSON.stringify(now[name]) !== JSON.stringify(sent[name])) filled[name] = now[name];
  }
  form.setInitialValues(saved);
  form.setValues(filled);
}
