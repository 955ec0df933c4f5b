import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { usedStyles } from './used-styles.ts';

/**
 * `npm run build` puts the dashboard where the management gateway serves it from; `npm run dashboard` serves it beside
 * one.
 */
export default defineConfig({
  root: import.meta.dirname,
  // The gateway may be reached below a path of its own by nobody: pages are found from the root.
  base: '/',
  plugins: [react(), usedStyles()],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    // What the gateway may tell browsers to keep for ever: every file in here has its hash in its name.
    assetsDir: 'assets',
    manifest: true,
    target: 'es2022',
    // Trusted Types and the policy forbid inline code, and `data:` scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What most pages share comes in one file: many small ones cost a request and headers each, and compress worse.
        codeSplitting: { groups: [{ name: 'shared', minShareCount: 32 }] },
      },
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  server: {
    port: 5173,
    proxy: {
      '/api': 'http://localhost:8080',
      '/docs': 'http://localhost:8080',
      '/ws': { target: 'ws://localhost:8080', ws: true },
    },
  },
});
