/** `npm run check`: types, formatting and boundaries, dead code, the site of the documentation. */
import { ensureInstalled, runPackage } from './prepare.mjs';

ensureInstalled();
runPackage('typescript', []);
runPackage('@biomejs/biome', ['check', '--error-on-warnings']);
runPackage('knip', []);
await import('./docs.mjs');
