import type { TSchema } from 'typebox';
import type { AnyRoute } from '../routing/route.ts';
import type { ManagementSettings } from '../settings.ts';
import { errorSchema, headers, parameters, securitySchemesOf } from './components.ts';
import { describeRoute, pathTemplateOf } from './describe-route.ts';
import type { OpenApiDocument, Operation } from './document.ts';
import { errorComponents } from './error-answers.ts';
import { introduction } from './introduction.ts';
import { Schemas } from './schemas.ts';
import { tags } from './tags.ts';
import { describeWebhooks } from './webhooks.ts';

/** Builds the OpenAPI 3.1 document of the routes, which is the only description of the API. */
export function describeApi(routes: readonly AnyRoute[], settings: ManagementSettings): OpenApiDocument {
  const schemas = new Schemas();
  schemas.writeAs('Error', errorSchema as TSchema);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    const path = pathTemplateOf(route);
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: describeRoute(route, schemas, settings.bodyLimitBytes),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ad exchange: management API',
      version: settings.version,
      description: introduction(settings),
      contact: contactOf(settings),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: settings.publicBaseUrl, description: '{base_url}: live and sandbox alike' }],
    tags,
    paths,
    webhooks: describeWebhooks(schemas),
    components: {
      schemas: schemas.components(),
      responses: errorComponents(routes),
      headers,
      parameters,
      securitySchemes: securitySchemesOf(settings),
    },
  };
}

/**
 * The contact for questions: the exchange's own URL, and the address of sellers.json where outside mail can reach it.
 */
function contactOf({ publicBaseUrl, sellers: { contactEmail } }: ManagementSettings): object {
  const reachable = contactEmail.includes('.', contactEmail.lastIndexOf('@'));
  return { name: 'The operator of the exchange', url: publicBaseUrl, ...(reachable ? { email: contactEmail } : {}) };
}
