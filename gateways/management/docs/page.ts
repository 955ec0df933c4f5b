/** The page at /docs/api: Swagger UI, which reads /api/openapi.json. `assets` is the path of the viewer's files. */
export function docsPage(assets: string): string {
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Ad exchange: management API</title>
    <link rel="service-desc" href="/api/openapi.json">
    <link rel="stylesheet" href="${assets}/swagger-ui.css">
    <link rel="icon" type="image/png" href="${assets}/favicon-32x32.png" sizes="32x32">
  </head>
  <body>
    <p><a href="/docs">Documentation</a></p>
    <div id="docs"></div>
    <script src="${assets}/swagger-ui-bundle.js"></script>
    <script src="${assets}/start.js"></script>
  </body>
</html>
`;
}

/** The start script is a file of its own, because the page allows no inline script. */
export const startScript = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  tryItOutEnabled: false,
  validatorUrl: null,
});
`;
