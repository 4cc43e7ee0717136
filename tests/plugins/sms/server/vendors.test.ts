import { expect, test } from '@rstest/core';
import { aliyun, aliyunSignature } from '../../../../src/plugins/sms/server/vendors/aliyun.ts';
import { qiniu, qiniuAuthorization } from '../../../../src/plugins/sms/server/vendors/qiniu.ts';
import { tencent, tencentAuthorization } from '../../../../src/plugins/sms/server/vendors/tencent.ts';
import type { Message } from '../../../../src/plugins/sms/server/vendors/vendor.ts';
import { yunpian } from '../../../../src/plugins/sms/server/vendors/yunpian.ts';

const message: Message = {
  phones: ['13800000001', '13800000002'],
  accessKey: 'ak',
  secretKey: 'sk',
  appId: '1400000000',
  regionId: '',
  signName: '签名',
  templateId: 'T1',
  params: [
    ['code', '123456'],
    ['minutes', '5'],
  ],
};
const moment = { now: Date.UTC(2026, 0, 2, 3, 4, 5, 678), nonce: 'once' };
const formOf = (body: string) => Object.fromEntries(new URLSearchParams(body));

test("Aliyun's published example of a signed SendSms is signed as published", () => {
  const parameters = {
    AccessKeyId: 'testId',
    Action: 'SendSms',
    Format: 'XML',
    OutId: '123',
    PhoneNumbers: '15300000001',
    RegionId: 'cn-hangzhou',
    SignName: '阿里云短信测试专用',
    SignatureMethod: 'HMAC-SHA1',
    SignatureNonce: '45e25e9b-0a6f-4070-8c85-2956eda1b466',
    SignatureVersion: '1.0',
    TemplateCode: 'SMS_71390007',
    TemplateParam: '{"customer":"test"}',
    Timestamp: '2017-07-12T02:42:19Z',
    Version: '2017-05-25',
  };
  expect(aliyunSignature('GET', parameters, 'testSecret')).toBe('zJDF+Lrzhj/ThnlvIToysFRq6t4=');
});

test("Tencent's published example of TC3-HMAC-SHA256 is signed as published", () => {
  const body = '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}';
  const call = { service: 'cvm', host: 'cvm.tencentcloudapi.com', body, seconds: 1_551_113_065 };
  expect(tencentAuthorization(call, 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE', 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE')).toBe(
    'TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host, ' +
      'Signature=72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168',
  );
});

test("a POST of JSON is signed as Qiniu's own library signs it", () => {
  expect(qiniuAuthorization({ host: '', path: '', body: '{"name": "test"}' }, 'ak', 'sk')).toBe('Qiniu ak:0ujEjW_vLRZxebsveBgqa3JyQ-w=');
});

test('Aliyun gets requests in its format, signed over all parameters', () => {
  const { url, body } = aliyun.request(message, moment);
  const { Signature, ...parameters } = formOf(body);
  expect(url).toBe('https://dysmsapi.aliyuncs.com/');
  expect(parameters).toMatchObject({
    Action: 'SendSms',
    PhoneNumbers: '13800000001,13800000002',
    RegionId: 'cn-hangzhou',
    SignName: '签名',
    TemplateCode: 'T1',
    TemplateParam: '{"code":"123456","minutes":"5"}',
    Timestamp: '2026-01-02T03:04:05Z',
  });
  expect(Signature).toBe(aliyunSignature('POST', parameters, 'sk'));
  expect(body).not.toContain('sk&');
  expect(aliyun.read({ Code: 'OK', Message: 'OK', BizId: 'B1' })).toEqual({ receipt: 'B1' });
  expect(aliyun.read({ Code: 'isv.BUSINESS_LIMIT_CONTROL', Message: '触发天级流控' })).toEqual({ reason: 'isv.BUSINESS_LIMIT_CONTROL 触发天级流控' });
});

test('Tencent is given the values in the order of the template, and one phone that is refused is named', () => {
  const { url, headers, body } = tencent.request(message, moment);
  expect(url).toBe('https://sms.tencentcloudapi.com/');
  expect(headers).toMatchObject({ 'x-tc-action': 'SendSms', 'x-tc-version': '2021-01-11', 'x-tc-timestamp': '1767323045', 'x-tc-region': 'ap-guangzhou' });
  expect(JSON.parse(body)).toEqual({
    PhoneNumberSet: ['+8613800000001', '+8613800000002'],
    SmsSdkAppId: '1400000000',
    SignName: '签名',
    TemplateId: 'T1',
    TemplateParamSet: ['123456', '5'],
  });
  const ok = { Code: 'Ok', Message: 'send success', SerialNo: 'S1' };
  expect(tencent.read({ Response: { SendStatusSet: [ok, { ...ok, SerialNo: 'S2' }] } })).toEqual({ receipt: 'S1,S2' });
  const refused = { Code: 'LimitExceeded.PhoneNumberDailyLimit', Message: 'too many', SerialNo: '' };
  expect(tencent.read({ Response: { SendStatusSet: [ok, refused] } })).toEqual({ reason: 'LimitExceeded.PhoneNumberDailyLimit too many' });
  const named = { ...refused, PhoneNumber: '+8613800000002' };
  expect(tencent.read({ Response: { SendStatusSet: [ok, named] } })).toMatchObject({ refusedPhones: ['13800000002'] });
  expect(tencent.read({ Response: { SendStatusSet: [named] } })).not.toHaveProperty('refusedPhones');
  expect(tencent.read({ Response: { Error: { Code: 'AuthFailure.SignatureFailure', Message: 'no' } } })).toEqual({ reason: 'AuthFailure.SignatureFailure no' });
});

test('Qiniu and Yunpian get requests in their formats', () => {
  expect(JSON.parse(qiniu.request(message, moment).body)).toEqual({
    signature_id: '签名',
    template_id: 'T1',
    mobiles: ['13800000001', '13800000002'],
    parameters: { code: '123456', minutes: '5' },
  });
  expect(qiniu.read({ job_id: 'J1' })).toEqual({ receipt: 'J1' });
  expect(qiniu.read({ error: 'BadToken', message: 'no' })).toEqual({ reason: 'BadToken no' });
  const { body } = yunpian.request({ ...message, params: [['code', '1&2=3']] }, moment);
  expect(formOf(body)).toEqual({ apikey: 'ak', mobile: '13800000001,13800000002', tpl_id: 'T1', tpl_value: '%23code%23=1%262%3D3' });
  expect(
    yunpian.read({
      total_count: 2,
      data: [
        { code: 0, msg: '发送成功', sid: 1 },
        { code: 0, msg: '发送成功', sid: 2 },
      ],
    }),
  ).toEqual({ receipt: '1,2' });
  expect(yunpian.read({ data: [{ code: 22, msg: '验证码类短信1小时内同一手机号发送次数不能超过3次' }] })).toMatchObject({
    reason: expect.stringContaining('3次'),
  });
  expect(yunpian.read({ code: -1, msg: '非法的apikey', detail: '请检查' })).toEqual({ reason: '-1 非法的apikey 请检查' });
});
