/** `npm run docs`: the documentation as a site in `dist/docs`, which any web server shows and which is searched without a network. */
import { ensureInstalled, runPackage } from './prepare.mjs';

ensureInstalled();
runPackage('@rspress/core', ['build']);
console.log('dist/docs is the site. To look at it: npx rspress preview');
