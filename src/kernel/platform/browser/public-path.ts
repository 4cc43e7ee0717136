import { withBase } from './base-path.ts';

// biome-ignore lint/style/useConst: the bundler replaces this variable, and assigning to it is how it is set.
declare let __webpack_public_path__: string;

// The bundler's runtime loads files from here. The page's first module imports this one first, because pictures are addressed while modules load.
__webpack_public_path__ = withBase('/');
