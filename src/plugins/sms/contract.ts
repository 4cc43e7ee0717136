import { Boolean as Bool, Array as List, Optional as Omissible, String as Plain, Object as Shape, Unsafe } from 'typebox';
import { crud, Done, entity, get, list, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { Choice, DateTime, Dictionary, Id, LongText, Optional, Phone, Reference, Secret, Several, Text, Whole } from '#shared/fields';
import type { Words } from '#shared/text';

const path = '/api/blade-resource/sms';

/** Keys of the dictionary `sms`. */
export const vendors = { yunpian: '1', qiniu: '2', aliyun: '3', tencent: '4' } as const;
/** What `status` of a configuration says. */
export const smsStatus = { off: 1, enabled: 2 } as const;

const service = ['服务商', 'Vendor'] as const;
const template = ['签名与模板', 'Signature and template'] as const;
const needsSecret = {
  all: [
    { field: 'id', filled: false },
    { field: 'category', isNot: vendors.yunpian },
  ],
} as const;
const ofTencent = { field: 'category', is: vendors.tencent } as const;

/** How a tenant sends text messages: one vendor, one signature, one template beside those of its own page. At most one is enabled; codes for signing in go through it. */
export const Sms = entity('sms', {
  id: Id(),
  smsCode: Text({ title: ['短信编号', 'Code'], maxLength: 64, pattern: '^[\\w-]+$', search: true, sort: true, copyable: true }),
  status: Choice({
    title: ['状态', 'Status'],
    form: false,
    search: true,
    default: smsStatus.off,
    tones: { 1: 'neutral', 2: 'good' },
    options: [
      [smsStatus.off, ['停用', 'Off']],
      [smsStatus.enabled, ['启用', 'On']],
    ],
  }),
  category: Dictionary({ title: ['短信类型', 'Vendor'], code: 'sms', search: true, group: service }),
  accessKey: Secret({
    title: ['accessKey', 'Access key'],
    help: ['云片填 apikey；腾讯云填 SecretId', 'Yunpian: the apikey. Tencent: the SecretId'],
    group: service,
  }),
  secretKey: Optional(Secret({ title: ['secretKey', 'Secret key'], requiredWhen: needsSecret, help: ['云片无须填写', 'Yunpian has none'], group: service })),
  appId: Optional(Text({ title: ['应用编号', 'App id'], maxLength: 64, list: false, visible: ofTencent, requiredWhen: ofTencent, group: service })),
  regionId: Optional(
    Text({
      title: ['地域', 'Region'],
      maxLength: 64,
      pattern: '^[a-z0-9-]+$',
      list: false,
      visible: { field: 'category', is: [vendors.aliyun, vendors.tencent] },
      help: ['留空：阿里云 cn-hangzhou，腾讯云 ap-guangzhou', 'Empty: cn-hangzhou at Aliyun, ap-guangzhou at Tencent'],
      group: service,
    }),
  ),
  signName: Text({ title: ['短信签名', 'Signature'], maxLength: 64, help: ['七牛云填签名编号', 'Qiniu: the id of the signature'], group: template }),
  templateId: Text({ title: ['模板编号', 'Template'], maxLength: 128, group: template }),
  templateParams: Optional(
    Several(
      Text({
        title: ['模板变量', 'Placeholders'],
        maxLength: 32,
        pattern: '^\\w+$',
        help: ['按模板中的顺序；验证码可用 code、minutes，留空为 code', 'In the order of the template; sign-in codes know code and minutes. Empty: code'],
        group: template,
      }),
      { most: 20 },
    ),
  ),
  remark: Optional(Text({ title: ['备注', 'Remark'] })),
});
export type SmsRow = RowOf<typeof Sms>;

const mayEnable = { code: 'sms_enable' };
const phone = Phone({ title: ['手机号', 'Phone'] });
const omissibleCode = Optional(Text({ title: ['短信编号', 'Code'], maxLength: 64 }));

/** Programs that ask people for their phone: each message costs, so nobody sends them unless it was granted. */
const provesPhones = { code: 'sms_validate' };

export const sms = {
  ...crud(path, Sms),
  /** This one from now on, and no other of the tenant. */
  enable: post(`${path}/enable`, { title: ['启用', 'Turn on'], who: mayEnable, input: Shape({ id: Id() }), reply: Done }),
  /** Without any that is enabled, the tenant sends nothing; where the deployment keeps an outbox, codes go there. */
  disable: post(`${path}/disable`, { title: ['停用', 'Turn off'], who: mayEnable, input: Shape({ id: Id() }), reply: Done }),
  /** Configurations to pick from. */
  select: get(`${path}/select`, {
    title: ['短信配置下拉', 'Configurations to pick from'],
    who: { code: 'sms_template' },
    input: Shape({ ids: Omissible(Plain({ maxLength: 4000 })) }),
    reply: List(Shape({ id: Id(), smsCode: Sms.fields.smsCode })),
  }),
  /** Sends by the configuration or template of this code, enabled or not; by the one that is enabled without a code. `params`: JSON, a value for each placeholder. */
  send: post(`${path}/endpoint/send-message`, {
    title: ['调试发送', 'Try out'],
    who: { code: 'sms_debug' },
    input: Shape({
      code: omissibleCode,
      phones: Several(Phone({ title: ['手机号', 'Phones'] }), { most: 20 }),
      params: Optional(Text({ title: ['短信参数', 'Parameters'], maxLength: 2000 })),
    }),
    reply: Unsafe<true>({ type: 'boolean' }),
  }),
  /** Sends a code that proves whose phone it is, good for five minutes; `value` is empty, for only the phone is told. Ten an hour for whoever asks, one a minute for a phone, and within the tenant's limits. */
  sendValidate: post(`${path}/endpoint/send-validate`, {
    title: ['发送验证码', 'Send a code'],
    who: provesPhones,
    input: Shape({ code: omissibleCode, phone }),
    reply: Shape({ id: Id(), phone, value: Plain(), success: Bool() }),
  }),
  /** Whether the code is right: five tries, and right but once. */
  validateMessage: post(`${path}/endpoint/validate-message`, {
    title: ['校验验证码', 'Check a code'],
    who: provesPhones,
    input: Shape({ id: Id(), phone, value: Plain({ minLength: 1, maxLength: 16 }) }),
    reply: Unsafe<true>({ type: 'boolean' }),
  }),
};

/** Something else that is said through a configuration: another template of the same vendor. Sent by its code, as a configuration is. */
export const SmsTemplate = entity('sms_template', {
  id: Id(),
  templateCode: Text({
    title: ['模板代码', 'Code'],
    maxLength: 64,
    pattern: '^[\\w-]+$',
    search: true,
    sort: true,
    copyable: true,
    help: ['发送时使用的编号，不与短信编号重复', 'What it is sent by; no configuration has the same'],
  }),
  smsId: Reference({ title: ['短信配置', 'Sent through'], from: { call: sms.select, title: 'smsCode', lookup: 'ids' }, search: true }),
  templateId: Text({ title: ['模板编号', 'Template'], maxLength: 128, help: ['服务商处的模板编号', 'As the vendor calls it'] }),
  signName: Optional(Text({ title: ['短信签名', 'Signature'], maxLength: 64, list: false, help: ['留空则同短信配置', 'Empty: that of the configuration'] })),
  templateParams: Optional(
    Several(Text({ title: ['模板变量', 'Placeholders'], maxLength: 32, pattern: '^\\w+$', help: ['按模板中的顺序', 'In the order of the template'] }), {
      most: 20,
    }),
  ),
  content: Optional(
    LongText({ title: ['模板内容', 'Text'], maxLength: 500, help: ['便于识别，以服务商审核通过的为准', 'To tell it by; the vendor’s own is what is sent'] }),
  ),
  remark: Optional(Text({ title: ['备注', 'Remark'], list: false })),
});
export type SmsTemplateRow = RowOf<typeof SmsTemplate>;

export const smsTemplate = crud(`${path}/template`, SmsTemplate);

/** A code on its way to a phone; what stands in it is sealed. */
export const SmsValidation = entity('sms_validation', {
  id: Id(),
  phone,
  value: Secret({ title: ['验证码', 'Code'] }),
  tries: Whole({ title: ['次数', 'Tries'], minimum: 0 }),
  goodUntil: DateTime({ title: ['有效期至', 'Good until'] }),
});

const deliveryCode = { code: 'sms_delivery' };

/** A message that was handed to a vendor, or could not be. What stood in it is kept nowhere. */
export const SmsDelivery = entity('sms_delivery', {
  id: Id(),
  phone: Text({ title: ['手机号', 'Phone'], maxLength: 32, search: true, width: 150 }),
  smsCode: Text({ title: ['短信编号', 'Code'], maxLength: 64, search: true }),
  category: Dictionary({ title: ['短信类型', 'Vendor'], code: 'sms', search: true }),
  purpose: Choice({
    title: ['用途', 'Purpose'],
    options: [
      ['code', ['验证码', 'Sign-in code']],
      ['debug', ['调试', 'Trial']],
      ['notice', ['通知', 'Notice']],
    ],
    search: true,
  }),
  outcome: Choice({
    title: ['结果', 'Outcome'],
    options: [
      [0, ['发送中', 'On its way']],
      [1, ['已受理', 'Accepted']],
      [2, ['失败', 'Failed']],
    ],
    tones: { 0: 'warning', 1: 'good', 2: 'danger' },
    search: true,
  }),
  receipt: Optional(Text({ title: ['回执编号', 'Receipt'], maxLength: 128, copyable: true })),
  reason: Optional(Text({ title: ['失败原因', 'Reason'], maxLength: 255, width: 260 })),
});

export const smsDelivery = {
  entity: SmsDelivery,
  menu: deliveryCode.code,
  list: list(`${path}/delivery/list`, SmsDelivery, deliveryCode, ['短信发送记录', 'Messages sent']),
};

export const smsProblems = {
  codeTaken: problem(409, ['短信编号与模板代码不能相同', 'A configuration and a template cannot have the same code.']),
  hasTemplates: problem(409, ['该配置下还有短信模板，请先删除', 'Templates are sent through it. Delete them first.']),
  wrongCode: problem(400, ['验证码不正确或已失效', 'The code is not correct, or good no longer.']),
  stillEnabled: problem(409, ['启用中的短信配置不能删除，请先停用', 'It is on. Turn it off before you delete it.']),
  noneEnabled: problem(400, ['没有启用的短信配置', 'No configuration for text messages is on.']),
  unknownCode: problem(404, ['短信编号不存在', 'There is no configuration of this code.']),
  noJson: problem(400, ['短信参数须为 JSON 对象', 'The parameters must be a JSON object.']),
  lacksParam: problem(400, ['缺少模板变量 {name}', 'The placeholder {name} has no value.']),
  notSent: problem(400, ['发送失败：{reason}', 'Not sent: {reason}']),
  tooOften: problem(429, ['发送过于频繁，请稍后再试', 'Sent too often. Try again later.']),
};

export const smsWords = {
  enable: ['启用', 'Turn on'],
  disable: ['停用', 'Turn off'],
  debug: ['调试', 'Try out'],
  switched: ['状态已更新', 'The status was changed'],
  phones: ['手机号（多个以逗号分隔）', 'Phones, separated by commas'],
  send: ['发送', 'Send'],
  sent: ['发送成功!', 'Sent!'],
} as const satisfies Record<string, Words>;
