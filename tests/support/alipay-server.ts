import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ZipFile } from 'yazl';
import { AlipaySdk } from './alipay-sdk.ts';

/** Fault of a transfer: an error code without an order, one after the order was taken, or a broken reply. */
export type AlipayTrouble = { readonly code: string; readonly takes?: boolean } | 'dropped' | 'hangs' | 'fails' | 'forged' | 'unsigned' | 'otherOrder';

interface Order {
  out_biz_no: string;
  order_id: string;
  status: string;
  trans_amount: string;
  identity: string;
  identity_type: string;
  name: string;
  title: string;
  paidOut: number;
  error_code?: string;
  fail_reason?: string;
}

const keys = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
/** Returns a key as the tools of Alipay show it: Base64 in one line. */
export const bareKey = (pem: string): string => pem.replace(/-----[A-Z ]+-----|\s/g, '');

/** Encodes a text in GBK, the encoding of Alipay's bills. */
function gbk(text: string): Buffer {
  const decoder = new TextDecoder('gbk');
  gbkBytes ??= new Map(
    Array.from({ length: 0x7e }, (_, lead) => Array.from({ length: 0xbf }, (__, trail) => [lead + 0x81, trail + 0x40] as const))
      .flat()
      .map((bytes) => [decoder.decode(Uint8Array.from(bytes)), bytes] as const),
  );
  return Buffer.from([...text].flatMap((letter) => (letter < '\u0080' ? [letter.charCodeAt(0)] : [...(gbkBytes?.get(letter) ?? [0x3f])])));
}
let gbkBytes: Map<string, readonly [number, number]> | undefined;

/** Account bill as Alipay documents it: comments around a table, and a second file with sums. */
async function billOf(rows: readonly (readonly string[])[]): Promise<Buffer> {
  const head = '账务流水号,业务流水号,商户订单号,商品名称,发生时间,对方账号,收入金额（+元）,支出金额（-元）,账户余额（元）,交易渠道,业务类型,备注';
  const lines = [
    '#支付宝账务明细查询',
    '#账号：[20885011]',
    head,
    ...rows.map((row) => row.map((value) => `${value}\t`).join(',')),
    '#导出时间：[2026年01月16日]',
  ];
  const zip = new ZipFile();
  zip.addBuffer(gbk(`${lines.join('\r\n')}\r\n`), '20885011_20260115_账务明细.csv');
  zip.addBuffer(gbk('#支付宝账务汇总查询\r\n类型,笔数\r\n'), '20885011_20260115_账务明细(汇总).csv');
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/**
 * Transfers of Alipay on this machine, written by us from Alipay's SDK and public descriptions, not from its official pages. Signatures of requests are verified by Alipay's own SDK; how orders behave is our reading
 * of the rules.
 */
export class AlipayServer {
  readonly appId = '2021000000000001';
  readonly app = keys();
  readonly orders = new Map<string, Order>();
  /** Number of requests whose signature the SDK rejected. */
  unsigned = 0;
  /** Number of queries. */
  asked = 0;
  /** True to pay orders at once; otherwise they stay in process. */
  paysAtOnce = false;
  /** True to drop every connection. */
  isDown = false;
  readonly troubles: (AlipayTrouble | undefined)[] = [];
  /** Faults of all transfers of an amount in 分. */
  readonly faults = new Map<number, AlipayTrouble>();
  /** Orders that a query does not find, because they are still being accepted or are forgotten. */
  readonly hidden = new Set<string>();
  /** Requests about each order, with the parameters of transfers. */
  readonly calls = new Map<string, string[]>();
  /** Replies to transfers wait for this. */
  readonly held = new Map<string, Promise<void>>();
  /** Rows of the account bill by day. */
  readonly bills = new Map<string, readonly (readonly string[])[]>();
  /** Error code for a bill that does not exist. */
  noBillCode = 'isp.bill_not_exist';
  /** File that is sent instead of the bill. */
  falseFile: Buffer | undefined;
  private address = '';
  private readonly own = keys();
  private readonly forger = keys();
  private readonly sdk = new AlipaySdk({
    appId: this.appId,
    keyType: 'PKCS8',
    privateKey: bareKey(this.own.privateKey),
    alipayPublicKey: bareKey(this.app.publicKey),
  });
  private readonly server = createServer((request, response) => void this.answer(request, response));

  get publicKey(): string {
    return this.own.publicKey;
  }

  get forgersKey(): string {
    return this.forger.publicKey;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.address = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this.address;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Sets the final state of an order; a paid one stays paid. */
  end(payNo: string, status = 'SUCCESS', errorCode?: string): void {
    const order = this.orders.get(payNo);
    if (!order || order.paidOut > 0) return;
    order.status = status;
    if (status === 'SUCCESS') order.paidOut = Math.round(Number(order.trans_amount) * 100);
    else if (errorCode) order.error_code = errorCode;
    else order.fail_reason = '收款账户异常';
  }

  /** Returns the form of a notification about an order. */
  notice(payNo: string, changes: Readonly<Record<string, unknown>> = {}, by: 'own' | 'forger' = 'own', outer: Readonly<Record<string, string>> = {}): string {
    const { out_biz_no, order_id, status, trans_amount } = this.orders.get(payNo) as Order;
    const content = { out_biz_no, order_id, status, trans_amount, product_code: 'TRANS_ACCOUNT_NO_PWD', biz_scene: 'DIRECT_TRANSFER', ...changes };
    const parameters: Record<string, string> = {
      app_id: this.appId,
      charset: 'UTF-8',
      msg_method: 'alipay.fund.trans.order.changed',
      notify_id: randomBytes(16).toString('hex'),
      sign_type: 'RSA2',
      utc_timestamp: String(Date.now()),
      version: '1.1',
      biz_content: JSON.stringify(content),
      ...outer,
    };
    const text = Object.keys(parameters)
      .sort()
      .map((name) => `${name}=${parameters[name]}`)
      .join('&');
    return new URLSearchParams({ ...parameters, sign: signed(text, by === 'own' ? this.own.privateKey : this.forger.privateKey) }).toString();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isDown) return void request.socket.destroy();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '', this.address);
    if (url.pathname === '/bill.zip') return void response.end(this.falseFile ?? (await billOf(this.bills.get(url.searchParams.get('day') ?? '') ?? [])));
    const form = Object.fromEntries([...url.searchParams, ...new URLSearchParams(Buffer.concat(chunks).toString())]);
    const { method = '', biz_content: content = '{}' } = form;
    if (form.app_id !== this.appId || !this.sdk.checkNotifySignV2(form)) {
      this.unsigned += 1;
      return void response.end(JSON.stringify({ error_response: { code: '40002', msg: 'Invalid Arguments', sub_code: 'isv.invalid-signature' } }));
    }
    const input = JSON.parse(content) as Record<string, unknown>;
    const member = `${method.replaceAll('.', '_')}_response`;
    if (method === 'alipay.fund.trans.uni.transfer') return this.transfer(input, member, request, response);
    if (method === 'alipay.fund.trans.common.query') {
      this.asked += 1;
      this.record(input, 'query');
      const order = this.hidden.has(String(input.out_biz_no)) ? undefined : this.orders.get(String(input.out_biz_no));
      return void this.send(response, member, order ? reply(order) : failure('ORDER_NOT_EXIST'));
    }
    const day = String(input.bill_date);
    const bill = { code: '10000', msg: 'Success', bill_download_url: `${this.address}/bill.zip?day=${day}` };
    this.send(response, member, this.bills.has(day) ? bill : failure(this.noBillCode));
  }

  private async transfer(input: Record<string, unknown>, member: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.record(input, `transfer ${JSON.stringify(input)}`);
    const trouble = this.troubles.shift() ?? this.faults.get(Math.round(Number(input.trans_amount) * 100));
    if (typeof trouble === 'object' && !trouble.takes) return void this.send(response, member, failure(trouble.code));
    const payee = input.payee_info as { identity: string; identity_type: string; name: string };
    const existing = this.orders.get(String(input.out_biz_no));
    if (existing && (existing.trans_amount !== input.trans_amount || existing.identity !== payee.identity))
      return void this.send(response, member, failure('PAYMENT_INFO_INCONSISTENCY'));
    const order = { ...(existing ?? this.take(input, payee)) };
    await this.held.get(order.out_biz_no);
    if (typeof trouble === 'object') return void this.send(response, member, failure(trouble.code));
    if (trouble === 'dropped') return void request.socket.destroy();
    if (trouble === 'hangs') return;
    if (trouble === 'fails') return void response.writeHead(502).end('bad gateway');
    if (trouble === 'unsigned') return void response.end(JSON.stringify({ [member]: reply(order) }));
    if (trouble === 'otherOrder') return void this.send(response, member, { ...reply(order), out_biz_no: 'P0000000001', status: 'FAIL' });
    this.send(response, member, reply(order), trouble === 'forged' ? this.forger.privateKey : undefined);
  }

  private record(input: Record<string, unknown>, call: string): void {
    const payNo = String(input.out_biz_no);
    this.calls.set(payNo, [...(this.calls.get(payNo) ?? []), call]);
  }

  private take(input: Record<string, unknown>, payee: { identity: string; identity_type: string; name: string }): Order {
    const order: Order = {
      out_biz_no: String(input.out_biz_no),
      order_id: `2026${String(this.orders.size).padStart(8, '0')}`,
      status: 'DEALING',
      trans_amount: String(input.trans_amount),
      ...payee,
      title: String(input.order_title),
      paidOut: 0,
    };
    this.orders.set(order.out_biz_no, order);
    if (this.paysAtOnce) this.end(order.out_biz_no);
    return order;
  }

  private send(response: ServerResponse, member: string, answer: object, key = this.own.privateKey): void {
    const text = JSON.stringify(answer);
    response.end(`{"${member}":${text},"sign":${JSON.stringify(signed(text, key))}}`);
  }
}

const signed = (text: string, key: string) => createSign('RSA-SHA256').update(text, 'utf8').sign(key, 'base64');
const failure = (code: string) => ({
  code: code === 'SYSTEM_ERROR' ? '20000' : '40004',
  msg: code === 'SYSTEM_ERROR' ? 'Service Currently Unavailable' : 'Business Failed',
  sub_code: code,
  sub_msg: `说明 "}" of ${code}`,
});
const reply = ({ out_biz_no, order_id, status, trans_amount, error_code, fail_reason }: Order) => ({
  code: '10000',
  msg: 'Success',
  out_biz_no,
  order_id,
  status,
  trans_amount,
  error_code,
  fail_reason,
});
