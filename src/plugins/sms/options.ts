import * as Type from 'typebox';
import { options } from '#shared/options';

/** Options of phone verification that a deployment can set. */
export default options({
  onServer: {
    codeMinutes: Type.Integer({ default: 5, minimum: 1, maximum: 60, description: 'Minutes for which a code is valid.' }),
    codeTries: Type.Integer({ default: 5, minimum: 1, maximum: 20, description: 'Number of attempts after which a code becomes invalid.' }),
  },
});
