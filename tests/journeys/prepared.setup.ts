export { prepareDirectories as default } from './product.ts';
