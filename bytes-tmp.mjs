import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { TraceMap, decodedMappings } from '@jridgewell/trace-mapping';
const wanted = process.argv.slice(2); const all = new Map();
for (const f of readdirSync('dist/console/assets').filter(f => f.endsWith('.js') && wanted.some(w => f.startsWith(w + '.')))) {
  const map = new TraceMap(readFileSync(`dist/maps/assets/${f}.map`, 'utf8')); const lines = readFileSync(`dist/console/assets/${f}`, 'utf8').split('\n');
  const by = new Map(); const text = new Map();
  decodedMappings(map).forEach((segs, i) => segs.forEach((s, j) => { if (s.length < 4) return; const end = segs[j + 1]?.[0] ?? lines[i].length; let n = map.sources[s[1]] ?? '?'; n = n.replace(/^webpack:\/\/\/?/, '').replace(/^\.?\/?/, '').replace(/^.*node_modules\/((@[^/]+\/)?[^/]+)\/(.*)$/, (_, p, __, r) => 'npm:' + p + '/' + r.split('/').slice(0, process.env.DEPTH ?? 2).join('/')); by.set(n, (by.get(n) ?? 0) + end - s[0]); text.set(n, (text.get(n) ?? '') + lines[i].slice(s[0], end)); }));
  const total = [...by.values()].reduce((a, b) => a + b, 0);
  console.log('\n==', f, total);
  for (const [k, v] of [...by].sort((a, b) => b[1] - a[1]).slice(0, Number(process.env.N ?? 30))) console.log(String(v).padStart(7), String(gzipSync(text.get(k)).length).padStart(6), k);
}
