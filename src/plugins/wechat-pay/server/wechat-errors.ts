import type { LocalizedText } from '#shared/text';

// Codes of transfer-bills as of 2025-03-21, https://pay.weixin.qq.com/doc/v3/merchant/4012716434 and 4012716437, read on 2026-11-28.

/** Errors of a request by what the same request would get again. An error that is not listed is not final, and no error tells whether an order of that number exists. */
export const wechatErrors = {
  final: ['PARAM_ERROR', 'INVALID_REQUEST'],
  passing: ['SIGN_ERROR', 'NO_AUTH', 'NOT_ENOUGH', 'FREQUENCY_LIMITED', 'FREQUENCY_LIMIT_EXCEED', 'RATELIMIT_EXCEEDED', 'SYSTEM_ERROR'],
  /** The number has been sent with other parameters. */
  uncertain: ['ALREADY_EXISTS'],
} as const;

/** Tests whether the same request would be refused again. */
export const isFinalError = (code: string): boolean => (wechatErrors.final as readonly string[]).includes(code);

/** Reasons for which an order has failed. */
export const failReasons: Readonly<Record<string, LocalizedText>> = {
  ACCOUNT_FROZEN: ['收款人的微信支付账户被冻结', 'The payee’s WeChat Pay account is frozen.'],
  REAL_NAME_CHECK_FAIL: ['收款人未完成微信实名认证', 'The payee has not verified their identity in WeChat.'],
  NAME_NOT_CORRECT: ['收款人姓名与微信实名不一致', 'The name does not match the identity of the payee in WeChat.'],
  OPENID_INVALID: ['openid 有误，或不属于该应用', 'The openid is not correct or belongs to another app.'],
  TRANSFER_QUOTA_EXCEED: ['超过收款人单笔收款额度', 'The amount exceeds what the payee may receive at once.'],
  DAY_RECEIVED_QUOTA_EXCEED: ['超过收款人单日收款额度', 'The payee has reached the amount of the day.'],
  MONTH_RECEIVED_QUOTA_EXCEED: ['超过收款人单月收款额度', 'The payee has reached the amount of the month.'],
  DAY_RECEIVED_COUNT_EXCEED: ['超过收款人单日收款次数', 'The payee has reached the number of transfers of the day.'],
  PRODUCT_AUTH_CHECK_FAIL: ['商户未开通转账权限或权限被冻结', 'The merchant has no permission for transfers, or it is frozen.'],
  OVERDUE_CLOSE: ['超过重试期，微信已关闭转账', 'WeChat closed the transfer when its time was over.'],
  ID_CARD_NOT_CORRECT: ['收款人身份证号不一致', 'The ID card number of the payee does not match.'],
  ACCOUNT_NOT_EXIST: ['收款人的微信支付账户不存在', 'The payee has no WeChat Pay account.'],
  TRANSFER_RISK: ['转账存在风险，已被微信拦截', 'WeChat stopped the transfer because of a risk.'],
  REALNAME_ACCOUNT_RECEIVED_QUOTA_EXCEED: ['收款人账户收款受限，请其在微信支付查看详情', 'The payee’s account is limited. They find details in WeChat Pay.'],
  RECEIVE_ACCOUNT_NOT_PERMMIT: ['该用户未设为转账收款人，请在产品设置中添加', 'The user is not among the allowed payees. Add them in the product settings.'],
  PAYER_ACCOUNT_ABNORMAL: ['商户账户付款受限，请在商户平台解除', 'The merchant account is limited. Lift the limit on the merchant platform.'],
  PAYEE_ACCOUNT_ABNORMAL: ['收款人账户异常，请其在微信支付完善身份信息', 'The payee’s account has a problem. They must complete their identity in WeChat Pay.'],
  TRANSFER_REMARK_SET_FAIL: ['转账备注设置失败', 'The remark could not be set.'],
};

/** Returns a reason in words, Chinese first; one that is not documented as it is. */
export const describeFailure = (reason: string): string => (Object.hasOwn(failReasons, reason) ? [reason, ...(failReasons[reason] ?? [])].join(' ') : reason);
