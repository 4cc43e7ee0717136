import * as Type from 'typebox';
import { options } from '#shared/options';

/** Options of WeChat Pay a deployment can set. */
export default options({
  onServer: {
    address: Type.String({
      default: 'https://api.mch.weixin.qq.com',
      pattern: '^https?://[^/?#]+$',
      description: 'Address of WeChat Pay: its second address is https://api2.mch.weixin.qq.com, that of Hong Kong https://apihk.mch.weixin.qq.com.',
    }),
  },
});
