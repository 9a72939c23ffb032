import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

/** `HOLDFAST_URL=http://127.0.0.1:4870 npm run dev -w @holdfast/web` works on a running server. */
const server = process.env['HOLDFAST_URL'] ?? 'http://127.0.0.1:4870';

/** Of the editor of notes and the languages that it knows: more than everything else together, and rarely needed. */
const ofEditor = /[/\\]node_modules[/\\](?:@codemirror|@lezer|style-mod|crelt|w3c-keyname|@marijn)[/\\]/u;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind()],
  resolve: { conditions: ['holdfast-source', ...defaultClientConditions] },
  server: { proxy: { '/api': server, '/metrics': server } },
  build: {
    target: 'es2022',
    cssTarget: ['chrome125', 'firefox128', 'safari18'],
    // Inlined fonts and images would only make the first load larger.
    assetsInlineLimit: 0,
    // The polyfill is a script of its own that every current browser does without.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        chunkFileNames: ({ moduleIds }) =>
          moduleIds.some((id) => ofEditor.test(id)) && moduleIds.every((id) => ofEditor.test(id) || id.startsWith('\0'))
            ? 'assets/note-part-[name]-[hash].js'
            : 'assets/[name]-[hash].js',
      },
    },
  },
});
