import { createHmac } from 'node:crypto';
import type { Vendor } from './vendor.ts';

const host = 'sms.qiniuapi.com';
const path = '/v1/message';

/** Signed parts of a call to Qiniu. */
export interface QiniuCall {
  readonly host: string;
  readonly path: string;
  readonly body: string;
}

/** Returns the `Authorization` header of a POST with JSON. */
export function qiniuAuthorization(call: QiniuCall, key: string, secret: string): string {
  const signed = `POST ${call.path}\nHost: ${call.host}\nContent-Type: application/json\n\n${call.body}`;
  const signature = createHmac('sha1', secret).update(signed).digest('base64').replaceAll('+', '-').replaceAll('/', '_');
  return `Qiniu ${key}:${signature}`;
}

/** Qiniu, messages by template. */
export const qiniu: Vendor = {
  request({ phones, accessKey, secretKey, signName, templateId, params }) {
    const body = JSON.stringify({ signature_id: signName, template_id: templateId, mobiles: phones, parameters: Object.fromEntries(params) });
    const authorization = qiniuAuthorization({ host, path, body }, accessKey, secretKey);
    return { url: `https://${host}${path}`, headers: { 'content-type': 'application/json', authorization }, body };
  },

  read(reply) {
    const { job_id, error, message } = reply as { job_id?: string; error?: string; message?: string };
    return job_id ? { receipt: job_id } : { reason: `${error ?? ''} ${message ?? ''}` };
  },
};
