import * as Type from 'typebox';
import { crud, entity, get, list, NoContent, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { DateTime, Dictionary, Id, Integer, LongText, MultiSelect, Nullable, Phone, Reference, Secret, Select, Text } from '#shared/fields';
import { integerParameter, type Parameter } from '#shared/parameters';

const path = '/api/blade-resource/sms';

/** Keys of the dictionary `sms`. */
export const vendors = { yunpian: '1', qiniu: '2', aliyun: '3', tencent: '4' } as const;
/** Values of `status` of a configuration. */
export const smsStatus = { off: 1, enabled: 2 } as const;

const service = ['服务商', 'Provider'] as const;
const template = ['签名与模板', 'Signature and template'] as const;
const secretRequired = {
  all: [
    { field: 'id', filled: false },
    { field: 'category', isNot: vendors.yunpian },
  ],
} as const;
const isTencent = { field: 'category', is: vendors.tencent } as const;

/** Configuration of text messages: one vendor, signature and template; further templates have their own page. At most one is enabled, and it sends sign-in codes. */
export const Sms = entity(
  'sms',
  {
    id: Id(),
    smsCode: Text({ title: ['短信编号', 'Code'], maxLength: 64, pattern: '^[\\w-]+$', search: true, sort: true, copyable: true }),
    status: Select({
      title: ['状态', 'Status'],
      form: false,
      search: true,
      default: smsStatus.off,
      tones: { 1: 'neutral', 2: 'good' },
      options: [
        [smsStatus.off, ['停用', 'Disabled']],
        [smsStatus.enabled, ['启用', 'Enabled']],
      ],
    }),
    category: Dictionary({ title: ['短信类型', 'Provider'], code: 'sms', search: true, group: service }),
    accessKey: Secret({
      title: ['accessKey', 'Access key'],
      help: ['云片填 apikey；腾讯云填 SecretId', 'apikey for Yunpian, SecretId for Tencent Cloud'],
      group: service,
    }),
    secretKey: Nullable(
      Secret({ title: ['secretKey', 'Secret key'], requiredWhen: secretRequired, help: ['云片无须填写', 'Not needed for Yunpian'], group: service }),
    ),
    appId: Nullable(Text({ title: ['应用编号', 'App ID'], maxLength: 64, list: false, visible: isTencent, requiredWhen: isTencent, group: service })),
    regionId: Nullable(
      Text({
        title: ['地域', 'Region'],
        maxLength: 64,
        pattern: '^[a-z0-9-]+$',
        list: false,
        visible: { field: 'category', is: [vendors.aliyun, vendors.tencent] },
        help: ['留空：阿里云 cn-hangzhou，腾讯云 ap-guangzhou', 'Defaults to cn-hangzhou for Alibaba Cloud and ap-guangzhou for Tencent Cloud'],
        group: service,
      }),
    ),
    signName: Text({ title: ['短信签名', 'Signature'], maxLength: 64, help: ['七牛云填签名编号', 'Signature ID for Qiniu'], group: template }),
    templateId: Text({ title: ['模板编号', 'Template ID'], maxLength: 128, group: template }),
    templateParams: Nullable(
      MultiSelect(
        Text({
          title: ['模板变量', 'Placeholders'],
          maxLength: 32,
          pattern: '^\\w+$',
          help: ['按模板中的顺序；验证码可用 code、minutes，留空为 code', 'In template order. Sign-in codes can use code and minutes. Defaults to code'],
          group: template,
        }),
        { max: 20 },
      ),
    ),
    remark: Nullable(Text({ title: ['备注', 'Remark'] })),
  },
  { archivable: true },
);
export type SmsRow = RowOf<typeof Sms>;

const enableAccess = { code: 'sms_enable' };
const phone = Phone({ title: ['手机号', 'Phone'] });
const optionalCode = Nullable(Text({ title: ['短信编号', 'Code'], maxLength: 64 }));

/** Permission for applications that verify phone numbers; each message costs money, so sending requires an explicit grant. */
const validateAccess = { code: 'sms_validate' };

export const sms = {
  ...crud(path, Sms),
  /** Enables this configuration and disables the tenant's others. */
  enable: post(`${path}/enable`, { title: ['启用', 'Enable'], access: enableAccess, input: Type.Object({ id: Id() }), reply: NoContent }),
  /** Without an enabled configuration the tenant sends no messages; where the deployment stores messages instead of sending them, codes are stored. */
  disable: post(`${path}/disable`, { title: ['停用', 'Disable'], access: enableAccess, input: Type.Object({ id: Id() }), reply: NoContent }),
  /** Lists configurations for a picker. */
  select: get(`${path}/select`, {
    title: ['短信配置下拉', 'Configuration options'],
    access: { code: 'sms_template' },
    input: Type.Object({ ids: Type.Optional(Type.String({ maxLength: 4000 })) }),
    reply: Type.Array(Type.Object({ id: Id(), smsCode: Sms.fields.smsCode })),
  }),
  /** Sends by the configuration or template with this code, enabled or not; without a code by the enabled one. `params` is JSON with a value for each placeholder. */
  send: post(`${path}/endpoint/send-message`, {
    title: ['调试发送', 'Send a test'],
    access: { code: 'sms_debug' },
    input: Type.Object({
      code: optionalCode,
      phones: MultiSelect(Phone({ title: ['手机号', 'Phones'] }), { max: 20 }),
      params: Nullable(Text({ title: ['短信参数', 'Parameters'], maxLength: 2000 })),
    }),
    reply: Type.Unsafe<true>({ type: 'boolean' }),
  }),
  /**
   * Sends a code that verifies a phone number and is valid for five minutes; `value` is empty, because only the phone receives the code. Limited to ten per hour and caller,
   * one per minute and phone, and the tenant's limits.
   */
  sendValidate: post(`${path}/endpoint/send-validate`, {
    title: ['发送验证码', 'Send verification code'],
    access: validateAccess,
    input: Type.Object({ code: optionalCode, phone }),
    // The caller has just sent the number.
    reply: Type.Object({ id: Id(), phone: Phone({ title: ['手机号', 'Phone'], personal: false }), value: Type.String(), success: Type.Boolean() }),
  }),
  /** Checks a code: at most five attempts, and a code succeeds only once. */
  validateMessage: post(`${path}/endpoint/validate-message`, {
    title: ['校验验证码', 'Check verification code'],
    access: validateAccess,
    input: Type.Object({ id: Id(), phone, value: Type.String({ minLength: 1, maxLength: 16 }) }),
    reply: Type.Unsafe<true>({ type: 'boolean' }),
  }),
};

/** Further template of a configuration's vendor. It is sent by its code, as a configuration is. */
export const SmsTemplate = entity('sms_template', {
  id: Id(),
  templateCode: Text({
    title: ['模板代码', 'Code'],
    maxLength: 64,
    pattern: '^[\\w-]+$',
    search: true,
    sort: true,
    copyable: true,
    help: ['发送时使用的编号，不与短信编号重复', 'Code used to send. Must differ from all configuration codes'],
  }),
  smsId: Reference({
    title: ['短信配置', 'Configuration'],
    onDelete: 'refuse',
    from: { call: sms.select, entity: Sms.name, title: 'smsCode', lookup: 'ids' },
    search: true,
  }),
  templateId: Text({ title: ['模板编号', 'Template ID'], maxLength: 128, help: ['服务商处的模板编号', 'Template ID at the provider'] }),
  signName: Nullable(
    Text({ title: ['短信签名', 'Signature'], maxLength: 64, list: false, help: ['留空则同短信配置', 'Defaults to the signature of the configuration'] }),
  ),
  templateParams: Nullable(
    MultiSelect(Text({ title: ['模板变量', 'Placeholders'], maxLength: 32, pattern: '^\\w+$', help: ['按模板中的顺序', 'In template order'] }), {
      max: 20,
    }),
  ),
  content: Nullable(
    LongText({
      title: ['模板内容', 'Content'],
      maxLength: 500,
      help: ['仅供参考，以服务商审核通过的模板为准', 'For reference only. The template approved by the provider is sent'],
    }),
  ),
  remark: Nullable(Text({ title: ['备注', 'Remark'], list: false })),
});
export type SmsTemplateRow = RowOf<typeof SmsTemplate>;

export const smsTemplate = crud(`${path}/template`, SmsTemplate);

/** Verification code for a phone; the code is stored encrypted. */
export const SmsValidation = entity('sms_validation', {
  id: Id(),
  phone,
  value: Secret({ title: ['验证码', 'Code'] }),
  tries: Integer({ title: ['次数', 'Attempts'], minimum: 0 }),
  goodUntil: DateTime({ title: ['有效期至', 'Expires'] }),
});

const deliveryCode = { code: 'sms_delivery' };

/** Message that was sent to a vendor or failed. Its text is not stored. */
export const SmsDelivery = entity('sms_delivery', {
  id: Id(),
  phone: Text({ title: ['手机号', 'Phone'], maxLength: 32, search: true, width: 150, personal: 'phone' }),
  smsCode: Text({ title: ['短信编号', 'Code'], maxLength: 64, search: true }),
  category: Dictionary({ title: ['短信类型', 'Provider'], code: 'sms', onDelete: 'keep', search: true }),
  purpose: Select({
    title: ['用途', 'Purpose'],
    options: [
      ['code', ['验证码', 'Verification code']],
      ['debug', ['调试', 'Test']],
      ['notice', ['通知', 'Notice']],
    ],
    search: true,
  }),
  outcome: Select({
    title: ['结果', 'Result'],
    options: [
      [0, ['发送中', 'Sending']],
      [1, ['已受理', 'Accepted']],
      [2, ['失败', 'Failed']],
    ],
    tones: { 0: 'warning', 1: 'good', 2: 'danger' },
    search: true,
  }),
  receipt: Nullable(Text({ title: ['回执编号', 'Receipt'], maxLength: 128, copyable: true })),
  reason: Nullable(Text({ title: ['失败原因', 'Reason'], maxLength: 255, width: 260 })),
});

export const smsDelivery = {
  entity: SmsDelivery,
  menu: deliveryCode.code,
  list: list(`${path}/delivery/list`, SmsDelivery, deliveryCode, ['短信发送记录', 'Message log']),
};

export const smsProblems = {
  codeTaken: problem(409, ['短信编号与模板代码不能相同', 'A configuration and a template cannot use the same code.']),
  wrongCode: problem(400, ['验证码不正确或已失效', 'The code is incorrect or has expired.']),
  stillEnabled: problem(409, ['启用中的短信配置不能删除，请先停用', 'An enabled configuration cannot be deleted. Disable it first.']),
  noneEnabled: problem(400, ['没有启用的短信配置，请先启用', 'No text message configuration is enabled. Enable one first.']),
  unknownCode: problem(404, ['短信编号不存在', 'Text message code not found.']),
  paramsNotObject: problem(400, ['短信参数须为 JSON 对象', 'The parameters must be a JSON object.']),
  paramMissing: problem(400, ['缺少模板变量 {name}', 'The placeholder {name} has no value.']),
  notSent: problem(400, ['发送失败：{reason}', 'Could not send: {reason}']),
  tooOften: problem(429, ['发送过于频繁，请稍后再试', 'Too many messages. Try again later.']),
};

export const retentionDays = integerParameter({
  key: 'sms.keepDays',
  group: ['短信', 'Text messages'],
  title: ['短信记录保留天数', 'Message log retention'],
  help: ['更早的短信记录会被删除', 'Older records are deleted'],
  preset: 180,
  maximum: 3650,
  minimum: 7,
  unit: ['天', 'days'],
});

/** Parameters this plugin reads. */
export const smsParameters: readonly Parameter[] = [retentionDays];
