import Router from '@koa/router';
import type { ManagementSettings } from '../settings.ts';
import { addApiReference } from './api-reference.ts';
import { addSite, SITE_FOLDER } from './site.ts';

interface DocsOptions {
  readonly settings: Pick<ManagementSettings, 'publicBaseUrl'>;
  /** The folder of the built documentation; tests pass another. */
  readonly folder?: string;
}

/**
 * Serves what people read, under `/docs`: the documentation, whose home it is, and at `/docs/api` the description of
 * the API. Where the documentation was not built, `/docs` shows that description. The pages load nothing from other
 * hosts.
 */
export function docsPages({ settings, folder = SITE_FOLDER }: DocsOptions): Router {
  const router = new Router({ sensitive: true });
  // These redirects serve programs, and installations without a dashboard.
  for (const path of ['/', '/api']) router.get(path, (ctx) => ctx.redirect('/docs'));
  const showReference = addApiReference(router, settings);
  if (!addSite(router, folder)) router.get('/docs', showReference);
  return router;
}
