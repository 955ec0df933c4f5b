/** The first path segments of the dashboard's pages; its own router names the rest (`dashboard/app/router.tsx`). */
const PAGE_PATHS: ReadonlySet<string> = new Set([
  '',
  'login',
  'invitation',
  'start',
  'supply',
  'pools',
  'demand',
  'campaigns',
  'creatives',
  'auctions',
  'billing',
  'settings',
]);

/** Whether a path is a page of the dashboard. */
export function isDashboardPath(path: string): boolean {
  return PAGE_PATHS.has(path.split('/', 2)[1] ?? '');
}
