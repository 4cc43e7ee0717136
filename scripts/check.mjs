/** `npm run check`: types, formatting and boundaries, dead code, known vulnerabilities, the site of the documentation. */
import { ensureInstalled, incrementalTypes, runPackage } from './prepare.mjs';

await ensureInstalled();
runPackage('typescript', incrementalTypes);
runPackage('@biomejs/biome', ['check', '--error-on-warnings']);
runPackage('knip', []);
await import('./audit.mjs');
await import('./docs.mjs');
