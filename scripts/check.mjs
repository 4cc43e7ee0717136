/** Implements `npm run check`: types, formatting and import boundaries, dead code, known vulnerabilities, the documentation site. */
import { ensureInstalled, runPackage, typeCheckArgs } from './prepare.mjs';

await ensureInstalled();
runPackage('typescript', typeCheckArgs);
runPackage('@biomejs/biome', ['check', '--error-on-warnings']);
runPackage('knip', []);
await import('./audit.mjs');
await import('./docs.mjs');
