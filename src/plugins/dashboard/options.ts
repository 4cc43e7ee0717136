import * as Type from 'typebox';
import { options } from '#shared/options';
import { type FigureSpan, spans } from './contract.ts';

/** Options of the home page a deployment can set. */
export default options({
  everywhere: {
    days: Type.Unsafe<FigureSpan>({ type: 'integer', enum: spans, default: 30, description: 'Initial number of days in charts.' }),
  },
});
