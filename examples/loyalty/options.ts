import * as Type from 'typebox';
import { options } from '#shared/options';

/** Options of the plugin that a deployment sets in its manifest. */
export default options({
  everywhere: {
    pointsPerYuan: Type.Integer({ default: 10, minimum: 1, maximum: 1000, description: 'Points for each yuan that approved work earns.' }),
    monthlyGoal: Type.Integer({ default: 10_000, minimum: 1, maximum: 100_000_000, description: 'Points that everybody together is to earn in a month.' }),
  },
});
