import { createHmac } from 'node:crypto';
import type { Vendor } from './vendor.ts';

const endpoint = 'https://dysmsapi.aliyuncs.com/';

/** Escapes all characters except letters, digits and `-_.~`, including blanks. */
const percentEncode = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

const canonicalQuery = (parameters: Readonly<Record<string, string>>) =>
  Object.keys(parameters)
    .sort()
    .map((name) => `${percentEncode(name)}=${percentEncode(parameters[name] ?? '')}`)
    .join('&');

/** Signature of a call of Aliyun's RPC API, version 1.0. */
export function aliyunSignature(method: 'GET' | 'POST', parameters: Readonly<Record<string, string>>, secret: string): string {
  return createHmac('sha1', `${secret}&`)
    .update(`${method}&${percentEncode('/')}&${percentEncode(canonicalQuery(parameters))}`)
    .digest('base64');
}

/** Aliyun, `SendSms` of 2017-05-25. */
export const aliyun: Vendor = {
  request({ phones, accessKey, secretKey, regionId, signName, templateId, params }, { now, nonce }) {
    const parameters = {
      AccessKeyId: accessKey,
      Action: 'SendSms',
      Format: 'JSON',
      PhoneNumbers: phones.join(','),
      RegionId: regionId || 'cn-hangzhou',
      SignName: signName,
      SignatureMethod: 'HMAC-SHA1',
      SignatureNonce: nonce,
      SignatureVersion: '1.0',
      TemplateCode: templateId,
      TemplateParam: JSON.stringify(Object.fromEntries(params)),
      Timestamp: new Date(now).toISOString().replace(/\.\d+Z$/, 'Z'),
      Version: '2017-05-25',
    };
    const body = canonicalQuery({ ...parameters, Signature: aliyunSignature('POST', parameters, secretKey) });
    return { url: endpoint, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body };
  },

  read(reply) {
    const { Code, Message, BizId } = reply as { Code?: string; Message?: string; BizId?: string };
    return Code === 'OK' ? { receipt: BizId ?? '' } : { reason: `${Code ?? ''} ${Message ?? ''}` };
  },
};
