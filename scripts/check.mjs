/** Implements `npm run check`: types, formatting and import boundaries, dead code, known vulnerabilities, the documentation site. */
import { ensureInstalled, incrementalTypes, runPackage } from './prepare.mjs';

await ensureInstalled();
runPackage('typescript', incrementalTypes);
runPackage('@biomejs/biome', ['check', '--error-on-warnings']);
runPackage('knip', []);
await import('./audit.mjs');
await import('./docs.mjs');
