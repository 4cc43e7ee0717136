import type { PluginSamples } from '../../kit/samples.ts';
import { privateKey, publicKey } from '../../support/sample-keys.ts';

export default {
  forms: { alipayMerchant: { name: '样例', appId: '2021000000000001', privateKey, publicKey } },
  rows: [{ entity: 'alipay_merchant' }],
} satisfies PluginSamples;
