import { accountKinds } from '#plugins/payment/contract';
import {
  type GatewayTerms,
  InvalidSignatureError,
  PaymentGateway,
  type ProviderNotice,
  type SignedNotice,
  type StatementLine,
  TransferRejectedError,
  type TransferRequest,
  type TransferResult,
} from '#plugins/payment/server-extension';
import { ApiError } from '#server';
import { alipayProblems } from '../contract.ts';
import { readAccountBill } from './account-bill.ts';
import { describeError, isFinalError } from './alipay-errors.ts';
import { sign, verifiedMember, verifyNotice } from './alipay-signing.ts';

/** Keys and terms of a configured app. */
export interface AlipayCredentials extends Pick<GatewayTerms, 'minAmount' | 'maxAmount' | 'feeRate' | 'feeFixed' | 'priority'> {
  readonly id: string;
  readonly appId: string;
  readonly privateKey: string;
  readonly publicKey: string;
}

export const providerId = 'alipay';
/** Returns the name of a merchant's gateway. */
export const gatewayName = (id: string) => `${providerId}:${id}`;

const product = { product_code: 'TRANS_ACCOUNT_NO_PWD', biz_scene: 'DIRECT_TRANSFER' } as const;
const noticeMethod = 'alipay.fund.trans.order.changed';
const timeoutMs = 10_000;
const downloadTimeoutMs = 60_000;
const maxBillBytes = 50 * 1024 * 1024;
/** Minimum amount of a transfer, in 分. */
const minAmountFen = 10;
const userIdPattern = /^2088\d{12}$/;
const outcomes: Readonly<Record<string, TransferResult['outcome']>> = { SUCCESS: 'paid', FAIL: 'failed', CLOSED: 'failed', REFUND: 'failed' };
const noOrderCodes = new Set(['ORDER_NOT_EXIST']);
const noBillCodes = new Set(['isp.bill_not_exist', 'BILL_NOT_EXIST']);

interface AlipayResponse {
  readonly code: string;
  readonly msg?: string;
  readonly sub_code?: string;
  readonly sub_msg?: string;
  readonly out_biz_no?: string;
  readonly order_id?: string;
  readonly status?: string;
  readonly trans_amount?: string;
  readonly error_code?: string;
  readonly fail_reason?: string;
  readonly bill_download_url?: string;
}

const successCode = '10000';
const businessFailureCode = '40004';

/** Gateway to Alipay's transfers to accounts, signed with RSA2. A response is accepted only with a valid signature and for the requested payout. */
export class AlipayGateway extends PaymentGateway {
  readonly name: string;
  readonly terms: GatewayTerms;

  constructor(
    private readonly merchant: AlipayCredentials,
    private readonly address: string,
  ) {
    super();
    const { id, minAmount, maxAmount, feeRate, feeFixed, priority } = merchant;
    this.name = gatewayName(id);
    const limits = { minAmount: Math.max(minAmountFen, minAmount ?? 0), maxAmount: maxAmount ?? null };
    const costs = { feeRate: feeRate ?? null, feeFixed: feeFixed ?? null, priority: priority ?? null };
    this.terms = { ...limits, ...costs, accountKinds: [accountKinds.alipay], nameRequiredFrom: 0, payeeConfirms: false, isOffline: false };
  }

  async transfer({ payNo, amount, remark, account: { account, name } }: TransferRequest): Promise<TransferResult> {
    const answer = await this.request('alipay.fund.trans.uni.transfer', {
      out_biz_no: payNo,
      trans_amount: (amount / 100).toFixed(2),
      ...product,
      order_title: remark.slice(0, 64),
      remark: remark.slice(0, 100),
      payee_info: { identity: account, identity_type: userIdPattern.test(account) ? 'ALIPAY_USER_ID' : 'ALIPAY_LOGON_ID', name },
    });
    if (answer.code === successCode) return this.resultFor(payNo, answer);
    const isFinal = answer.code === businessFailureCode && isFinalError(answer.sub_code ?? '');
    throw isFinal ? new TransferRejectedError(errorText(answer)) : new Error(errorText(answer));
  }

  async query(payNo: string): Promise<TransferResult | undefined> {
    const answer = await this.request('alipay.fund.trans.common.query', { out_biz_no: payNo, ...product });
    if (answer.code === successCode) return this.resultFor(payNo, answer);
    if (answer.code === businessFailureCode && noOrderCodes.has(answer.sub_code ?? '')) return undefined;
    throw new Error(errorText(answer));
  }

  /** Returns the transfers of the account bill of the day. A day without movements has no bill, and neither has one whose bill is not made yet. */
  async statement(day: string): Promise<StatementLine[]> {
    const answer = await this.request('alipay.data.dataservice.bill.downloadurl.query', { bill_type: 'signcustomer', bill_date: day });
    if (answer.code === businessFailureCode && noBillCodes.has(answer.sub_code ?? '')) {
      if (Date.now() < billTime(day)) throw new ApiError(alipayProblems.billNotReady);
      return [];
    }
    if (answer.code !== successCode || !answer.bill_download_url) throw new Error(errorText(answer));
    return readAccountBill(await this.download(new URL(answer.bill_download_url)));
  }

  /** Throws `InvalidSignatureError` when it is not signed by Alipay, is for another app or kind of order, or has no amount. */
  override readNotice({ body }: ProviderNotice): SignedNotice {
    const parameters = Object.fromEntries(new URLSearchParams(body));
    verifyNotice(parameters, this.merchant.publicKey);
    const { app_id: appId, msg_method: method, notify_id: nonce, biz_content: content = '' } = parameters;
    if (appId !== this.merchant.appId) throw new InvalidSignatureError('the notification belongs to another app');
    if (method !== noticeMethod || !nonce) throw new InvalidSignatureError('the notification is not about a transfer');
    const order = JSON.parse(content) as AlipayResponse & { readonly product_code?: string };
    const result = resultOf(order.out_biz_no ?? '', order);
    if (order.product_code !== product.product_code || result.amount === undefined) throw new InvalidSignatureError('the notification has no amount');
    return { result, nonce };
  }

  private resultFor(payNo: string, answer: AlipayResponse): TransferResult {
    if (answer.out_biz_no !== payNo) throw new InvalidSignatureError('the answer belongs to another bill');
    return resultOf(payNo, answer);
  }

  /** The address is from a signed response; a file from another host than Alipay's is refused nevertheless. */
  private async download(link: URL): Promise<Buffer> {
    const isOwn = link.protocol === 'https:' && link.hostname.endsWith('.alipay.com');
    if (!isOwn && link.origin !== new URL(this.address).origin) throw new Error(`refusing to download a bill from ${link.origin}`);
    const reply = await fetch(link, { redirect: 'error', signal: AbortSignal.timeout(downloadTimeoutMs) });
    if (reply.status !== 200) throw new Error(`the bill download failed: ${reply.status}`);
    if (Number(reply.headers.get('content-length') ?? 0) > maxBillBytes) throw new Error('the account bill is too large');
    return Buffer.from(await reply.arrayBuffer());
  }

  private async request(method: string, content: object): Promise<AlipayResponse> {
    const { appId, privateKey, publicKey } = this.merchant;
    const parameters = {
      app_id: appId,
      method,
      format: 'JSON',
      charset: 'utf-8',
      sign_type: 'RSA2',
      timestamp: chinaTime(new Date()),
      version: '1.0',
      biz_content: JSON.stringify(content),
    };
    const reply = await fetch(`${this.address}/gateway.do?charset=utf-8`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8', 'user-agent': 'marquee' },
      body: new URLSearchParams({ ...parameters, sign: sign(parameters, privateKey) }).toString(),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await reply.text();
    if (reply.status !== 200) throw new Error(`Alipay replied with status ${reply.status}`);
    return JSON.parse(verifiedMember(text, `${method.replaceAll('.', '_')}_response`, publicKey)) as AlipayResponse;
  }
}

/** Returns the time from which a day without a bill counts as a day without movements. Bills are made before nine the next morning as a rule, in the time zone of China. */
const billTime = (day: string) => Date.parse(`${day}T12:00:00+08:00`) + 24 * 3_600_000;

/** Formats a time as Alipay expects it, in the time zone of China. */
const chinaTime = (time: Date) => new Date(time.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

const errorText = ({ code, msg = '', sub_code: subCode, sub_msg: subMessage }: AlipayResponse) =>
  subCode ? describeError(subCode, subMessage) : `${code} ${msg}`.trim();

function resultOf(
  payNo: string,
  { status = '', order_id: providerNo, trans_amount: yuan, fail_reason: failReason, error_code: code }: AlipayResponse,
): TransferResult {
  const fen = Math.round(Number(yuan) * 100);
  const amount = yuan !== undefined && Number.isSafeInteger(fen) ? fen : undefined;
  return {
    payNo,
    outcome: outcomes[status] ?? 'processing',
    state: status || 'UNKNOWN',
    providerNo,
    amount,
    reason: code ? describeError(code, failReason) : failReason,
  };
}
