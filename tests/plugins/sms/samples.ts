import type { PluginSamples } from '../../kit/samples.ts';

export default {
  forms: {
    sms: { smsCode: 'sample', category: '3', accessKey: 'key', secretKey: 'a sample secret', signName: '样例', templateId: 'SMS_1' },
    smsTemplate: { templateCode: 'sample-template', smsId: '$channel', templateId: 'SMS_2' },
  },
  references: { channel: { calls: 'sms', form: { smsCode: 'for-templates' } } },
  rows: [{ entity: 'sms' }, { entity: 'sms_delivery' }, { entity: 'sms_template' }],
} satisfies PluginSamples;
