// Reads every page's text of a PDF with pdf.js and prints pages per second and processor time a page: best of the runs, with the
// program's start and the library's loading left out, as in Go's benchmark.
//
//   node pdfjs.mjs FILE.pdf [RUNS]
import { readFile } from 'node:fs/promises';
import { getDocument, version } from 'pdfjs-dist/legacy/build/pdf.mjs';

const [file, runs = '5'] = process.argv.slice(2);
const bytes = await readFile(file);

let best = 0, pages = 0, cpu = Infinity;
for (let run = 0; run < Number(runs); run++) {
  const start = performance.now(), before = process.cpuUsage();
  const loading = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  const document = await loading.promise;
  pages = document.numPages;
  let characters = 0;
  for (let n = 1; n <= pages; n++) {
    const page = await document.getPage(n);
    const content = await page.getTextContent();
    characters += content.items.map((item) => item.str + (item.hasEOL ? '\n' : '')).join('').length;
    page.cleanup();
  }
  await loading.destroy();
  if (characters === 0) throw new Error('no text');
  const { user, system } = process.cpuUsage(before);
  cpu = Math.min(cpu, (user + system) / 1000 / pages);
  best = Math.max(best, pages / ((performance.now() - start) / 1000));
}
console.log('  ' + `pdf.js ${version}, node ${process.version}`.padEnd(52) + ` ${best.toFixed(0)} pages/s, ${cpu.toFixed(2)} ms of processor time a page`);
