import * as Type from 'typebox';
import { options } from '#shared/options';

/** Options of Alipay a deployment can set. */
export default options({
  onServer: {
    address: Type.String({
      default: 'https://openapi.alipay.com',
      pattern: '^https?://[^/?#]+$',
      description: 'Address of Alipay; that of its sandbox is https://openapi-sandbox.dl.alipaydev.com.',
    }),
  },
});
