import * as Type from 'typebox';
import { options } from '#shared/options';

/** Options of the task plugin that a deployment can set. */
export default options({
  everywhere: {
    picturesAhead: Type.Integer({
      default: 3,
      minimum: 0,
      maximum: 20,
      description: 'Number of submissions whose pictures are preloaded; use fewer on slow connections.',
    }),
  },
});
