import * as Type from 'typebox';
import { options } from '#shared/options';

/** Options for phone verification a deployment can set. */
export default options({
  onServer: {
    codeMinutes: Type.Integer({ default: 5, minimum: 1, maximum: 60, description: 'Minutes for which a code is good.' }),
    codeTries: Type.Integer({ default: 5, minimum: 1, maximum: 20, description: 'How often somebody may enter a code before it is good no longer.' }),
  },
});
