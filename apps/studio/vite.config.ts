// SPDX-License-Identifier: MIT
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

// The server inlines the page into self-contained recordings, so the build is exactly one module and one style sheet with fixed names.
export default defineConfig({
  base: './',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    outDir: process.env['THRONG_STUDIO_OUT'] ? resolve(process.env['THRONG_STUDIO_OUT']) : 'dist',
    emptyOutDir: true,
    target: 'es2022',
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      output: {
        inlineDynamicImports: true,
        entryFileNames: 'assets/studio.js',
        assetFileNames: (asset) => (asset.names.some((name) => name.endsWith('.css')) ? 'assets/studio.css' : 'assets/[name][extname]'),
      },
    },
  },
});
