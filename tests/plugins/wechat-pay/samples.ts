import type { PluginSamples } from '../../kit/samples.ts';
import { privateKey, publicKey } from '../../support/sample-keys.ts';

export default {
  forms: {
    payChannel: {
      name: '样例',
      mchId: '1900000001',
      appId: 'wxsample',
      serialNo: 'ABC123',
      privateKey,
      apiV3Key: 'a sample key of thirty-two bytes',
      publicKeyId: 'PUB_KEY_ID_1',
      publicKey,
      sceneId: '1005',
      jobTitle: '样例',
      rewardNote: '样例',
    },
  },
  rows: [{ entity: 'pay_channel' }],
} satisfies PluginSamples;
