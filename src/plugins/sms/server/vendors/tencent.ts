import { createHash, createHmac } from 'node:crypto';
import { refusalOf, type Vendor } from './vendor.ts';

const host = 'sms.tencentcloudapi.com';
const countryCode = '+86';
const contentType = 'application/json; charset=utf-8';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Signed parts of a call to Tencent Cloud. */
export interface TencentCall {
  readonly service: string;
  readonly host: string;
  readonly body: string;
  /** Seconds since 1970. */
  readonly seconds: number;
}

/** Returns the `Authorization` header of a call, by TC3-HMAC-SHA256. */
export function tencentAuthorization(call: TencentCall, id: string, secret: string): string {
  const day = new Date(call.seconds * 1000).toISOString().slice(0, 10);
  const scope = `${day}/${call.service}/tc3_request`;
  const canonical = `POST\n/\n\ncontent-type:${contentType}\nhost:${call.host}\n\ncontent-type;host\n${hash(call.body)}`;
  const key = hmac(hmac(hmac(`TC3${secret}`, day), call.service), 'tc3_request');
  const signature = hmac(key, `TC3-HMAC-SHA256\n${call.seconds}\n${scope}\n${hash(canonical)}`).toString('hex');
  return `TC3-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=content-type;host, Signature=${signature}`;
}

interface TencentReply {
  readonly Response?: {
    readonly Error?: { readonly Code: string; readonly Message: string };
    readonly SendStatusSet?: readonly { readonly Code: string; readonly Message: string; readonly SerialNo: string; readonly PhoneNumber?: string }[];
  };
}

/** Tencent Cloud, `SendSms` of 2021-01-11. */
export const tencent: Vendor = {
  request({ phones, accessKey, secretKey, appId, regionId, signName, templateId, params }, { now }) {
    const body = JSON.stringify({
      PhoneNumberSet: phones.map((phone) => countryCode + phone),
      SmsSdkAppId: appId,
      SignName: signName,
      TemplateId: templateId,
      TemplateParamSet: params.map(([, value]) => value),
    });
    const seconds = Math.floor(now / 1000);
    return {
      url: `https://${host}/`,
      headers: {
        'content-type': contentType,
        'x-tc-action': 'SendSms',
        'x-tc-version': '2021-01-11',
        'x-tc-timestamp': String(seconds),
        'x-tc-region': regionId || 'ap-guangzhou',
        authorization: tencentAuthorization({ service: 'sms', host, body, seconds }, accessKey, secretKey),
      },
      body,
    };
  },

  read(reply) {
    const { Error: error, SendStatusSet: sent = [] } = (reply as TencentReply).Response ?? {};
    const refused = sent.filter(({ Code }) => Code !== 'Ok');
    if (!error && refused.length === 0 && sent.length > 0) return { receipt: sent.map(({ SerialNo }) => SerialNo).join(',') };
    const { Code = '', Message = '' } = error ?? refused[0] ?? {};
    const phones = refused.map(({ PhoneNumber = '' }) => PhoneNumber.replace(countryCode, ''));
    return refusalOf(`${Code} ${Message}`.trim(), phones, error ? 0 : sent.length);
  },
};
