import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { defineConfig } from 'vite';

// notes what the bundle was built from; a test of the crate compares
const stamp = {
  name: 'stamp',
  closeBundle() {
    const files = readdirSync('src').sort().map((name) => `src/${name}`);
    const line = (file) => `${createHash('sha1').update(readFileSync(file)).digest('hex')}  ${file}\n`;
    writeFileSync('dist/sources.txt', [...files, 'package-lock.json', 'vite.config.js'].map(line).join(''));
  },
};

// one script and one style, which the program keeps in itself
export default defineConfig({
  plugins: [stamp],
  build: {
    outDir: 'dist',
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 1000,
    rollupOptions: {
      input: 'src/main.js',
      output: { entryFileNames: 'viewer.js', assetFileNames: 'viewer.[ext]', inlineDynamicImports: true },
    },
  },
});
