const form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What is no UUID was never made: a store need not be asked for it. */
export function isUuid(id: string): boolean {
  return form.test(id);
}
