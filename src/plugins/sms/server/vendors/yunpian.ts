import { refusalOf, type Vendor } from './vendor.ts';

const endpoint = 'https://sms.yunpian.com/v2/sms/tpl_batch_send.json';

interface YunpianReply {
  readonly code?: number;
  readonly msg?: string;
  readonly detail?: string;
  readonly data?: readonly { readonly code: number; readonly msg: string; readonly sid?: number | string; readonly mobile?: string }[];
}

/** Yunpian: sends one template to many phones. The request is not signed; it contains the API key. */
export const yunpian: Vendor = {
  request({ phones, accessKey, templateId, params }) {
    const values = params.map(([name, value]) => `${encodeURIComponent(`#${name}#`)}=${encodeURIComponent(value)}`).join('&');
    const body = new URLSearchParams({ apikey: accessKey, mobile: phones.join(','), tpl_id: templateId, tpl_value: values }).toString();
    return { url: endpoint, headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }, body };
  },

  read(reply) {
    const { code, msg = '', detail = '', data = [] } = reply as YunpianReply;
    const refused = data.filter((one) => one.code !== 0);
    const [first] = refused;
    const phones = refused.map(({ mobile = '' }) => mobile);
    if (first) return refusalOf(first.msg, phones, data.length);
    return data.length > 0 ? { receipt: data.map(({ sid }) => sid ?? '').join(',') } : { reason: `${code ?? ''} ${msg} ${detail}` };
  },
};
