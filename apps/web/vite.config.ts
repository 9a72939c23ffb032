import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

/** The running server that `npm run dev -w @holdfast/web` uses. */
const server = process.env['HOLDFAST_URL'] ?? 'http://127.0.0.1:4870';

/** The modules of the note editor and its languages. They are larger than all others together and rarely needed. */
const editorModules = /[/\\]node_modules[/\\](?:@codemirror|@lezer|style-mod|crelt|w3c-keyname|@marijn)[/\\]/u;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind()],
  resolve: { conditions: ['holdfast-source', ...defaultClientConditions] },
  server: { proxy: { '/api': server, '/metrics': server } },
  build: {
    target: 'es2022',
    cssTarget: ['chrome125', 'firefox128', 'safari18'],
    // Inlined fonts and images would increase the size of the first load.
    assetsInlineLimit: 0,
    // Current browsers do not need the polyfill.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        chunkFileNames: ({ moduleIds }) =>
          moduleIds.some((id) => editorModules.test(id)) &&
          moduleIds.every((id) => editorModules.test(id) || id.startsWith('\0'))
            ? 'assets/note-part-[name]-[hash].js'
            : 'assets/[name]-[hash].js',
      },
    },
  },
});
