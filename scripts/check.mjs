/** `npm run check`: types, formatting and boundaries, dead code. */
import { ensureInstalled, runPackage } from './prepare.mjs';

ensureInstalled();
runPackage('typescript', []);
runPackage('@biomejs/biome', ['check', '--error-on-warnings']);
runPackage('knip', []);
